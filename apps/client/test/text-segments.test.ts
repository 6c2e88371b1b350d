import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Context } from 'rxmcp';
import { text } from 'rxmcp';
import { type CreateMessageResult, messageText } from 'rxmcp/sampling';
import { extractiveModel } from '../src/asked/extractive.js';
import { sentencesOf, wordsOf } from '../src/asked/text-segments.js';

const inOneGo = (said: string, granularity: 'word' | 'sentence'): Intl.SegmentData[] => [
  ...new Intl.Segmenter(undefined, { granularity }).segment(said),
];
const units = [
  ...['lorem', ' ', '\n', '. ', '... ', '?! ', '"', "can't", 'U.S.A.', 'Dr. Who', '3.14', 'etc. a'],
  ...[
    '山谷里有河流，',
    '河流。',
    'ひらがなカタカナ',
    'ภาษาไทยเป็นภาษา',
    'نمی‌خواهم',
    '👩‍💻',
    'e\u0301',
    'x'.repeat(400),
  ],
];
const longText = fc
  .tuple(fc.subarray(units, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 97 }))
  .map(([few, step]) =>
    Array.from({ length: 400 }, (_, at) => few[(at * at + at * step) % few.length]).join(''),
  );

describe('a long text', () => {
  it('splits words and sentences in one pass', () => {
    fc.assert(
      fc.property(longText, (long) => {
        const words = inOneGo(long, 'word').filter(({ isWordLike }) => isWordLike);
        expect(wordsOf(long)).toMatchObject(words.map(({ segment, index }) => ({ segment, index })));
        expect(sentencesOf(long)).toEqual(inOneGo(long, 'sentence').map(({ segment }) => segment));
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['words', 'lorem ipsum dolor '],
    ['short sentences', 'A. '],
    ['one word', 'a'],
    ['one word, then many sentences', `${'a'.repeat(30_000)}. ${'B. '.repeat(10_000)}`],
    ['no words', ' '],
  ])('is read a bounded number of times, be it of %s', (_, unit) => {
    const long = unit.repeat(Math.ceil(60_000 / unit.length));
    const read = charactersRead(() => {
      expect(sentencesOf(long).join('')).toBe(long);
      wordsOf(long);
    });
    expect(read).toBeLessThan(8 * long.length);
  });

  it('of a model is repeated as far as the limit allows', () => {
    const prose = 'lorem ipsum dolor '.repeat(3_000);
    const messages = [{ role: 'user' as const, content: text(prose) }];
    const completion = extractiveModel()({ messages, maxTokens: 4_500 }, {} as Context);
    expect(messageText(completion as CreateMessageResult)).toBe(prose.slice(0, 26_999));
  });
});

/** How many characters the segmenter of the engine is given meanwhile. */
function charactersRead(run: () => void): number {
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
  try {
    run();
    return segment.mock.calls.reduce((sum, [given]) => sum + given.length, 0);
  } finally {
    segment.mockRestore();
  }
}
