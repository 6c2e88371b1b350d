/** One practice of docs/practices.md. */
export interface Row {
  readonly heading: string;
  readonly practice: string;
  readonly todo: string;
  /** What shows it: the beginning or a part of a title, and the file of the test. */
  readonly shown: readonly { readonly title: string; readonly file: string }[];
}

/** The rows of the page, in their order. */
export function rowsOf(page: string): Row[] {
  return page.split(/^## /m).flatMap((part) => {
    const heading = part.slice(0, part.indexOf('\n')).trim();
    return part
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2)
      .map((line) => rowOf(heading, line));
  });
}

function rowOf(heading: string, line: string): Row {
  const [practice = '', todo = '', links = ''] = line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
  const shown = [...links.matchAll(/\[((?:[^\]]|\][^(])*)\]\(([^)]+)\)/g)].map(
    ([, title = '', file = '']) => ({
      title: title.replaceAll(/\\([_*])/g, '$1'),
      file,
    }),
  );
  return { heading, practice, todo, shown };
}

/** The functions that the code of a text calls by their bare names. */
export function calledIn(text: string): string[] {
  const code = [...text.matchAll(/`([^`]+)`/g)].map(([, inner = '']) => inner);
  return code.flatMap((inner) =>
    [...inner.matchAll(/(?<![.\w$])([a-z]\w*)\(/g)].map(([, name = '']) => name),
  );
}
