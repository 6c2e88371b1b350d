const space = /[ \t\r\n]*/y;
const token =
  /[[\]{},:]|"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/uy;

/** The kinds of tokens that begin a value: brackets, `s` for a string, `w` for a number or a word. */
const value = '{[sw';

/**
 * Returns where a text that is not JSON becomes invalid; both numbers begin with 1. The messages of `JSON.parse` have no position
 * for some errors, and other positions in other versions of Node.js.
 */
export function jsonError(text: string): { readonly line: number; readonly column: number } {
  const at = invalidAt(text);
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

function invalidAt(text: string): number {
  // The brackets that will close.
  const open: string[] = [];
  let expected = value;
  for (let at = 0; ;) {
    at += matchAt(space, text, at).length;
    const found = matchAt(token, text, at);
    const kind = kindOf(found);
    if (!expected.includes(kind)) return at;
    at += found.length;
    const isKey = kind === 's' && !expected.includes('w');
    if (kind === '{') open.push('}');
    if (kind === '[') open.push(']');
    if (kind === '}' || kind === ']') open.pop();
    const [last = ''] = open.slice(-1);
    if (kind === '{') expected = 's}';
    else if (kind === '[') expected = `${value}]`;
    else if (kind === ',') expected = last === '}' ? 's' : value;
    else if (kind === ':') expected = value;
    else if (isKey) expected = ':';
    else expected = last === '' ? '' : `,${last}`;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function kindOf(found: string): string {
  if (found === '') return 'nothing';
  if (found.startsWith('"')) return 's';
  return '[]{},:'.includes(found) ? found : 'w';
}
