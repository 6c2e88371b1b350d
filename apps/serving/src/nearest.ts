import { distance } from 'fastest-levenshtein';

/** Names that differ from a word by few typing errors, or begin with it; at most three, the nearest first. */
export function nearest(word: string, names: readonly string[]): readonly string[] {
  const most = Math.max(2, Math.floor(word.length / 3));
  return names
    .map((name) => ({
      name,
      errors: name.startsWith(word) ? 0 : distance(word.slice(0, 64), name.slice(0, 64)),
    }))
    .filter(({ errors }) => errors <= most)
    .sort((one, other) => one.errors - other.errors)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** The question that follows an error: the nearest names, or nothing. */
export function didYouMean(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  return near.length === 0 ? '' : `. Did you mean ${near.join(' or ')}?`;
}
