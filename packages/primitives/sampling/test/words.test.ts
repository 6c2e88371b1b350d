import fc from 'fast-check';
import type { Context } from '@rxmcp/core';
import { text } from '@rxmcp/core';
import { describe, expect, it } from 'vitest';
import type { CreateMessageResult, SamplingModel } from '../src/index.js';
import { extractiveModel, openAiModel, textOf } from '../src/index.js';
import { sentencesOf, wordsOf } from '../src/words.js';
import { charsCopied } from './copied.js';
import { said } from './endpoint.js';

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
  it('has the words and sentences that it has in one go', () => {
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
  ])('is read piece by piece, be it of %s', async (_, unit) => {
    const long = unit.repeat(Math.ceil(60_000 / unit.length));
    const copied = await charsCopied(() => {
      expect(sentencesOf(long).join('')).toBe(long);
      wordsOf(long);
    });
    // In one go each segment takes the whole length.
    expect(copied).toBeLessThan(2_000 * long.length);
  });

  const prose = 'lorem ipsum dolor '.repeat(3_000);
  const usage = { prompt_tokens: 7, completion_tokens: 18_000 };
  const answer = JSON.stringify({ ...said(prose), usage });
  const fetch = (): Promise<Response> => Promise.resolve(new Response(answer));
  const writing = openAiModel({ baseUrl: 'http://localhost/v1', model: 'm', fetch });

  it.each<[string, SamplingModel, number, number]>([
    ['repeated', extractiveModel(), 4_500, 26_999],
    ['left alone', writing, 18_000, prose.length],
    ['cut', writing, 9_000, 26_999],
  ])('of a model is read piece by piece and %s', async (_, model, maxTokens, length) => {
    const messages = [{ role: 'user' as const, content: text(prose) }];
    const ctx = { signal: new AbortController().signal } as Context;
    const copied = await charsCopied(async () => {
      const completion = (await model({ messages, maxTokens }, ctx)) as CreateMessageResult;
      expect(textOf(completion)).toBe(prose.slice(0, length));
    });
    expect(copied).toBeLessThan(2_000 * prose.length);
  });
});
