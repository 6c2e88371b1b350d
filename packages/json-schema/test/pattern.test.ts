import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matcherOf } from '../src/pattern/matcher.js';
import { rounds } from '../../../vitest.rounds.js';

const free = { spend: () => undefined };

/** How much work a match is. */
function cost(pattern: string, text: string): number {
  let spent = 0;
  matcherOf(pattern, '')(text, { spend: (steps) => void (spent += steps) });
  return spent;
}

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '[^\\d\\-a-b]',
  '[\\W1]',
  '[^]',
  '[]',
  '\\S',
  '[^\\p{L}]',
  '\\w',
  '\\d',
  '\\b',
  '^',
  '$',
  '-',
  '\\.',
  'é',
  '😀',
);
const { pattern } = fc.letrec<{ pattern: string; row: string; part: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('row'),
    fc.tuple(tie('row'), tie('pattern')).map(([a, b]) => `${a}|${b}`),
  ),
  row: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    atom,
    fc
      .tuple(
        tie('pattern'),
        fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<n>'),
        fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?'),
      )
      // An engine repeats no group that only looks.
      .map(([inner, open, times]) => `${open}${inner})${open === '(?=' || open === '(?!' ? '' : times}`),
    fc
      .tuple(fc.constantFrom('a', 'b', '.', '[ab]'), fc.constantFrom('*', '+', '?', '{2,3}'))
      .map((all) => all.join('')),
  ),
}));
const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', '1', '.', 'é', '😀', '\n'), maxLength: 12 });

/** What the engine matches, asked for each character: alone it also begins within one, which ECMA-262 does not. */
function matches(engine: RegExp, value: string): boolean {
  const lengths = [0, ...Array.from(value, (char) => char.length)];
  let at = 0;
  return lengths.some((length) => {
    engine.lastIndex = at += length;
    return engine.test(value);
  });
}

describe('a pattern', () => {
  it('matches like the engine', () => {
    fc.assert(
      fc.property(pattern, text, (source, value) => {
        let engine: RegExp;
        try {
          engine = new RegExp(source, 'uy');
        } catch {
          return;
        }
        expect(matcherOf(source, '')(value, free)).toBe(matches(engine, value));
      }),
      { numRuns: rounds(3_000), examples: [['(?!.*$)', '😀']] },
    );
  });

  it('row 63: costs work that is linear in the text, whatever the text is', () => {
    const long = fc.tuple(fc.constantFrom('a', 'ab', 'a-', '1.', 'aab'), fc.constantFrom('', '!', 'b'));
    fc.assert(
      fc.property(pattern, long, (source, [unit, end]) => {
        // A lookahead at each place reads the rest each time, one within another each time again: a budget bounds it.
        fc.pre(!/\(\?[=!]/.test(source));
        let work: number[];
        try {
          work = [500, 1_000].map((times) => cost(source, unit.repeat(times) + end));
        } catch {
          return;
        }
        const [half = 0, whole = 0] = work;
        expect(whole).toBeLessThanOrEqual(2.5 * half + 200);
      }),
      { numRuns: rounds(300) },
    );
  });

  it.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(.*a){20}', '^(.*,){11}P', '(a*)*b', '\\s*a\\s*$', 'a+b'])(
    'row 63: %s takes linear time on a long text',
    (source) => {
      const [one, two] = [10_000, 20_000].map((times) => cost(source, `${'a'.repeat(times)}!`)) as [
        number,
        number,
      ];
      expect(two).toBeLessThanOrEqual(2.1 * one);
      expect(two).toBeLessThan(2_000_000);
    },
  );

  it.each<[string, string, string]>([
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 'a-slug-1', 'a--b'],
    ['^\\+?[1-9]\\d{1,14}$', '+491234567', '+0'],
    // A hyphen next to an escape is literal.
    ['^[\\d-z]+$', '1-z', '1-y'],
    ['^#(?:[0-9a-fA-F]{3}){1,2}$', '#ffAA00', '#ff'],
    ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'Passw0rd', 'password'],
    [
      '^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_+.-]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$',
      'a.b@c.de',
      'a..b@c.de',
    ],
    ['^[\\w-.]+$', 'a-b.c', 'a b'],
    ['^\\@[a-z\\_]+$', '@a_b', 'a'],
    ['^\\p{Lu}\\p{L}*$', 'Élan', 'élan'],
    ['^\\uD83D\\uDE00\\u{1F600}\\x41$', '😀😀A', '😀A'],
    ['^[^/]+/[^/]+$', 'owner/name', 'name'],
    ['\\.(png|jpe?g)$', 'a.jpeg', 'a.gif'],
    ['^[\\s\\S]{0,5000}$', 'any\nthing', 'x'.repeat(5_001)],
    ['^a{,2}$', 'a{,2}', 'aa'],
    ['', 'anything', undefined as never],
    ['^([01]\\d|2[0-3]):[0-5]\\d$', '23:59', '24:00'],
    ['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?Z$', '2026-01-01T00:00:00.5Z', '2026-01-01'],
  ])('%s as people write it', (source, good, bad) => {
    expect(matcherOf(source, '')(good, free)).toBe(true);
    if (bad !== undefined) expect(matcherOf(source, '')(bad, free)).toBe(false);
  });

  it.each([
    ['(?<=a)b', 'has a lookbehind'],
    ['(?<!a)b', 'has a lookbehind'],
    ['(a)\\1', 'has a backreference'],
    ['(?<n>a)\\k<n>', 'has a backreference'],
    ['(?i)a', 'are not known'],
    ['a**', 'is repeated'],
    ['*a', 'has nothing to repeat'],
    ['(a', 'is not closed'],
    ['a)', 'has no "("'],
    ['[a', 'is not closed'],
    ['[b-a]', 'is out of order'],
    ['[\\p{Nothing}]', 'not a character property'],
    [
      `[${Array.from({ length: 20 }, (_, i) => `\\p{${['L', 'N', 'P', 'S', 'Z', 'C', 'Lu', 'Ll', 'Lt', 'Lm', 'Lo', 'Nd', 'Nl', 'No', 'Pc', 'Pd', 'Ps', 'Pe', 'Pi', 'Pf'][i] as string}}`).join('')}]`,
      'more than 16',
    ],
    ['\\Z', 'is not known'],
    ['a{3,2}', 'is out of order'],
    ['\\', 'is not known'],
    ['(a{100}){300}', 'make more than'],
    ['(((((a{9}){9}){9}){9}){9}){9}', 'make more than'],
    [`${'('.repeat(200)}${')'.repeat(200)}`, 'too deeply'],
  ])('%s is rejected with the reason', (source, why) => {
    expect(() => matcherOf(source, '/pattern')).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_UNSUPPORTED_PATTERN',
        pointer: '/pattern',
        message: expect.stringContaining(why),
      }),
    );
  });

  it('that repeats nothing a thousand million times is read at once', () => {
    for (const source of ['(){999999999}', '((){9}){999999999}', '(a{0}){999999999}'])
      expect(matcherOf(source, '')('b', free)).toBe(true);
  });
});
