import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from '../../src/replay/compare.js';
import { Ids } from '../../src/replay/ids.js';
import { toldApart } from '../../src/replay/told-apart.js';

const result = (value: unknown) => ({ jsonrpc: '2.0', id: 1, result: { value } });
const lenient = (wanted: unknown, got: unknown) => compare(result(wanted), result(got), new Ids(), 'lenient');

describe('a lenient comparison of arrays', () => {
  it.each([
    [
      ['a', 'c'],
      ['a', 'b', 'c'],
    ],
    [['a'], ['a', 'b']],
    [['b'], ['a', 'b']],
    [[], ['a']],
    [[{ name: 'a' }], [{ name: 'z' }, { name: 'a', more: [1] }]],
    [[['a']], [['b', 'a']]],
  ])('takes more entries: %j of %j', (wanted, got) => {
    expect(lenient(wanted, got)).toBeUndefined();
  });

  it.each([
    [['a', 'b'], ['a'], { path: 'result.value.1', expected: 'b', actual: undefined }],
    [['a', 'b'], ['b', 'a'], { path: 'result.value.0', expected: 'a', actual: 'b' }],
    [['a', 'b'], ['a', 'x', 'y'], { path: 'result.value.1', expected: 'b', actual: 'x' }],
    [[{ n: 1 }], [{ n: 2 }, { n: 3 }], { path: 'result.value.0.n', expected: 1, actual: 2 }],
  ])('misses what was recorded: %j of %j', (wanted, got, difference) => {
    expect(lenient(wanted, got)).toEqual(difference);
  });

  it('takes all that entries were added to', () => {
    const parts = fc.array(fc.tuple(fc.jsonValue(), fc.boolean()), { maxLength: 8 });
    fc.assert(
      fc.property(parts, (all) => {
        const recorded = all.filter(([, isOld]) => isOld).map(([value]) => value);
        const live = all.map(([value]) => value);
        expect(lenient(recorded, live)).toBeUndefined();
      }),
    );
  });

  it.each(['strict', 'drawn'] as const)('is not %s', (how) => {
    expect(compare(result(['a']), result(['a', 'b']), new Ids(), how)).toMatchObject({
      path: 'result.value.1',
    });
  });
});

describe('two values that are told apart', () => {
  it('are short', () => {
    expect(toldApart('a', undefined)).toBe('"a" was recorded, nothing came');
    expect(toldApart(1, '1', 'drawn')).toBe('1 was drawn, "1" came');
    const message = toldApart(
      { text: 'x'.repeat(10_000) },
      Array.from({ length: 10_000 }, () => 0),
    );
    expect(message.length).toBeLessThan(300);
  });

  it('show where long ones begin to differ', () => {
    const text = (middle: string) => `${'x'.repeat(5_000)}${middle}${'y'.repeat(5_000)}`;
    const message = toldApart(text('old'), text('new'));
    expect(message).toMatch(/^…x+oldy+… was recorded, …x+newy+… came$/);
    expect(message.length).toBeLessThan(300);
  });
});
