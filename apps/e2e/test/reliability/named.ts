/** What a title of a test begins with when it is named after rows of the page, such as `rows 6 and 12: …`. */
const beginning =
  /(?<=['"`](?:RELIABILITY )?|, and )(?:row|fault)s? \d+(?:(?:, and |, | and )(?:(?:row|fault)s? )?\d+)*\b/g;

/** The rows that the titles in the source of tests name, as `row 12` and `fault 3`; each once. */
export function namedIn(source: string): Set<string> {
  const found = new Set<string>();
  for (const [list] of source.matchAll(beginning)) {
    let kind = '';
    for (const [, word, number] of list.matchAll(/(?:(row|fault)s? )?(\d+)/g)) {
      kind = word ?? kind;
      found.add(`${kind} ${number as string}`);
    }
  }
  return found;
}
