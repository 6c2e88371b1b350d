/** A text to look for, prepared so that looking for it takes time in proportion to what is looked through. */
export interface Needle {
  readonly text: string;
  /** For each of its characters: the length of the longest beginning that ends there too. */
  readonly borders: readonly number[];
}

/** Prepares a text to look for. */
export function needle(text: string): Needle {
  const borders = [0];
  let matched = 0;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === code) matched += 1;
    borders.push(matched);
  }
  return { text, borders };
}

/**
 * Where the needle first stands at or after `from`, and where it may; or -1. Looks at each character at most twice
 * (Knuth-Morris-Pratt).
 */
export function find(
  { text, borders }: Needle,
  inside: string,
  from: number,
  may?: (start: number, end: number) => boolean,
): number {
  let matched = 0;
  for (let at = from; at < inside.length; at += 1) {
    const code = inside.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === code) matched += 1;
    if (matched < text.length) continue;
    if (may === undefined || may(at - matched + 1, at + 1)) return at - matched + 1;
    matched = borders[matched - 1] ?? 0;
  }
  return -1;
}
