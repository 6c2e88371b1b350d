/**
 * Whether a path matches a pattern: `*` stands for any characters but slashes, `?` for one, `**` for any directories. Takes
 * time in proportion to the product of both lengths at worst, whatever the pattern.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  return wildcard(pattern.split('/'), path.split('/'), (part) => part === '**', matchesSegment);
}

function matchesSegment(pattern: string, segment: string): boolean {
  return wildcard(
    [...pattern],
    [...segment],
    (part) => part === '*',
    (part, char) => part === '?' || part === char,
  );
}

/** Matches with one wildcard that takes any number of items: only the last wildcard ever needs to be retried. */
export function wildcard(
  pattern: readonly string[],
  items: readonly string[],
  isWild: (part: string) => boolean,
  matches: (part: string, item: string) => boolean,
): boolean {
  let at = 0;
  let wildAt = -1;
  let resume = 0;
  for (let item = 0; item < items.length;) {
    const part = pattern[at];
    if (part !== undefined && isWild(part)) {
      wildAt = at;
      resume = item;
      at += 1;
    } else if (part !== undefined && matches(part, items[item] as string)) {
      at += 1;
      item += 1;
    } else if (wildAt !== -1) {
      resume += 1;
      at = wildAt + 1;
      item = resume;
    } else {
      return false;
    }
  }
  while (at < pattern.length && isWild(pattern[at] as string)) at += 1;
  return at === pattern.length;
}
