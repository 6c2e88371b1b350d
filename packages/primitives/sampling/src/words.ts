/** The words of a text, in any language. */
export function wordsOf(text: string): Intl.SegmentData[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].filter(
    (part) => part.isWordLike,
  );
}

/** The text up to the end of that many words; all of it where there are no more. */
export function firstWords(text: string, count: number): string {
  const over = wordsOf(text)[count];
  return over === undefined ? text : text.slice(0, over.index).trimEnd();
}
