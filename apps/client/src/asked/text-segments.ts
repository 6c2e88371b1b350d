/** A part of a text, and where it begins in it. */
interface Segment {
  readonly segment: string;
  readonly index: number;
}

/** The words of a text, in any language. */
export function wordsOf(text: string): Segment[] {
  return [...segmentsOf(text, 'word')].filter((part) => part.isWordLike);
}

/** The sentences of a text, in any language, with the white space after each. */
export function sentencesOf(text: string): string[] {
  return Array.from(segmentsOf(text, 'sentence'), ({ segment }) => segment);
}

// Engines copy the whole text into each segment: a long one in one go takes its length squared, of time and memory.
const pieceChars = 1_000;
/** What ends so near the end of a piece may end elsewhere in the text: it is read again with what follows. */
const unsureChars = 100;

function* segmentsOf(
  text: string,
  granularity: 'word' | 'sentence',
): Generator<Segment & { readonly isWordLike: boolean }> {
  const segmenter = new Intl.Segmenter(undefined, { granularity });
  let [at, size] = [0, pieceChars];
  while (at < text.length) {
    const sure = at + size < text.length ? at + size - unsureChars : text.length;
    let next = at;
    for (const { segment, index, isWordLike = false } of segmenter.segment(text.slice(at, at + size))) {
      const end = at + index + segment.length;
      if (end > sure) break;
      yield { segment, index: at + index, isWordLike };
      next = end;
      // A piece that grew is read for the one long segment that it begins with.
      if (size > pieceChars) break;
    }
    size = next === at ? 2 * size : pieceChars;
    at = next;
  }
}
