/** One row of a table of practices in a README or a guide. */
export interface Row {
  readonly practice: string;
  readonly todo: string;
}

/** Returns the rows of all tables of a page whose first column is called "practice". */
export function rowsOf(page: string): Row[] {
  const rows: Row[] = [];
  let within = false;
  for (const line of page.split('\n')) {
    const [practice = '', todo = ''] = cellsOf(line);
    if (!line.startsWith('|')) within = false;
    else if (practice === 'practice') within = true;
    else if (within && !/^-+$/.test(practice)) rows.push({ practice, todo });
  }
  return rows;
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Returns the functions that the code of a text calls by their bare names. */
export function calledIn(text: string): string[] {
  const code = [...text.matchAll(/`([^`]+)`/g)].map(([, inner = '']) => inner);
  return code.flatMap((inner) =>
    [...inner.matchAll(/(?<![.\w$])([a-z]\w*)\(/g)].map(([, name = '']) => name),
  );
}
