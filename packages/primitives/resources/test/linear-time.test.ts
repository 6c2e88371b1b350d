import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { uriTemplate } from '../src/index.js';
import { find, needle } from '../src/uri/match.js';
import { rounds } from '../../../../vitest.rounds.js';

const size = 8_192;

/** How many characters the search looks at. */
function steps(run: () => unknown): number {
  const looked = vi.spyOn(String.prototype, 'charCodeAt');
  try {
    run();
    return looked.mock.calls.length;
  } finally {
    looked.mockRestore();
  }
}

describe('looking for a literal', () => {
  it('finds what indexOf finds', () => {
    const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 40 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, fc.nat(5), (looked, inside, from) => {
        fc.pre(looked !== '');
        expect(find(needle(looked), inside, from)).toBe(inside.indexOf(looked, from));
      }),
      { numRuns: rounds(2_000) },
    );
  });

  it('takes steps in proportion to the text, whatever both are', () => {
    const letters = fc
      .array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 200 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(letters, letters, (looked, unit) => {
        const prepared = needle(looked);
        const inside = unit.repeat(Math.ceil(4_000 / unit.length));
        expect(steps(() => find(prepared, inside, 0))).toBeLessThanOrEqual(5 * inside.length + 5);
      }),
      { numRuns: 100 },
    );
  });
});

describe('RELIABILITY row 58 and advisory 1: matching takes time in proportion to the uri', () => {
  const cases: readonly [string, string, (length: number) => string][] = [
    ['many variables', 'x:{a}a{b}a{c}a{d}a{e}a{f}a{g}a{h}!', (length) => `x:${'a'.repeat(length)}`],
    ['overlapping literals', 'x:{a}aab{b}aab{c}aab{d}!', (length) => `x:${'a'.repeat(length)}`],
    ['a long literal', `x:{a}${'a'.repeat(4_000)}b{c}`, (length) => `x:${'a'.repeat(length)}`],
    ['many segments', 'x:{a}/{b}/{+m}/{c}/{d}!', (length) => `x:${'/a'.repeat(length / 2)}`],
    ['read from the end', 'x:{+m}a{b}a{c}a{d}a{e}!', (length) => `x:${'a'.repeat(length)}!`],
    ['too many pairs', 'x:/{a}{?b,c}', (length) => `x:/a?${'b&'.repeat(length / 2)}`],
    ['a long pair', 'x:/{a}{?b,c}', (length) => `x:/a?b=${'='.repeat(length)}`],
    ['escapes', 'x:/{a}', (length) => `x:/${'%20'.repeat(length / 3)}`],
    ['characters to escape', 'x:/{a}', (length) => `x:/${'日'.repeat(length / 9)}`],
    ['a long list of segments', 'x:{/a*}/{b}!', (length) => `x:${'/a'.repeat(length / 2)}!`],
    ['a long list with commas', 'x:{a,b*}', (length) => `x:${'a,'.repeat(length / 2)}a`],
    ['many labels', 'x:a{.a}b{.c}b{.d*}b', (length) => `x:a${'.b'.repeat(length / 2)}`],
    ['many parameters', 'x:{/a*}{;b*}', (length) => `x:/a${';b'.repeat(length / 2)}`],
    ['pairs of one list', 'x:a{?b*}', (length) => `x:a?${'b&'.repeat(length / 2)}b`],
    ['pairs that go on', 'x:a?b={b}{&c}', (length) => `x:a?b=${'&'.repeat(length)}`],
    ['a long fragment', 'x:a{?b}{#c*}', (length) => `x:a#${','.repeat(length)}`],
  ];

  it.each(cases)('%s: at most five steps a character', (_, text, uriOf) => {
    const template = uriTemplate(text);
    for (const length of [size / 16, size / 4, size - 100]) {
      const uri = uriOf(length);
      expect(steps(() => template.match(uri))).toBeLessThanOrEqual(5 * length + 100);
    }
  });

  it('does not look at a longer uri at all', () => {
    expect(uriTemplate('x:/{+a}').match(`x:/${'a'.repeat(size)}`)).toBeUndefined();
  });
});
