/** The words of a line. */
export interface SplitLine {
  readonly words: readonly string[];
  /** Whether a quotation mark is open at the end. */
  readonly isOpen: boolean;
  /** Whether the line ends within the last word: one that follows is a new word otherwise. */
  readonly endsInWord: boolean;
}

/** Splits a line into words as a shell does: at white space, with quotes and backslashes, and without variables. */
export function splitLine(line: string): SplitLine {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] as string;
    if (character === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      const next = line[at] as string;
      // Within double quotes a backslash is itself, but before these.
      word = (word ?? '') + (quote === '"' && !/["\\$`]/.test(next) ? `\\${next}` : next);
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return { words, isOpen: quote !== '', endsInWord: word !== undefined };
}
