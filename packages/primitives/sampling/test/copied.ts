/**
 * Counts the characters that the engine copies while work cuts texts into words and sentences: it copies the whole text that it
 * was given into each segment.
 */
export async function charsCopied(work: () => unknown): Promise<number> {
  let copied = 0;
  const { segment } = Intl.Segmenter.prototype;
  Intl.Segmenter.prototype.segment = function (text) {
    const segments = segment.call(this, text);
    return {
      containing: (at) => segments.containing(at),
      *[Symbol.iterator]() {
        for (const part of segments) {
          copied += text.length;
          yield part;
        }
      },
    } as Intl.Segments;
  };
  try {
    await work();
  } finally {
    Intl.Segmenter.prototype.segment = segment;
  }
  return copied;
}
