import { delay, map, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { equalDeep } from '../../src/equal-deep.js';
import { marbles } from '../../src/index.js';

describe('marbles', () => {
  it('pass when the events are those that were drawn', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('a-b|', { a: { n: 1 }, b: { n: 2 } });
      const doubled = source.pipe(
        map(({ n }) => ({ n: n * 2 })),
        delay(5),
      );
      expectObservable(doubled).toBe('5ms a-(b|)', { a: { n: 2 }, b: { n: 4 } });
      expectSubscriptions(source.subscriptions).toBe('^--!');
      expectObservable(throwError(() => new TypeError('no'))).toBe('#', {}, new TypeError('no'));
    });
  });

  it('show both sequences when they differ', () => {
    const differing = (): void =>
      marbles(({ cold, expectObservable }) => {
        expectObservable(cold('a-b|')).toBe('a-c#', undefined, new Error('no'));
      });
    const [expected, happened] = [
      '0 ms: "a"\n2 ms: "c"\n3 ms: error Error: no',
      '0 ms: "a"\n2 ms: "b"\n3 ms: complete',
    ];
    expect(differing).toThrow(`the events differ\n--- expected\n${expected}\n--- happened\n${happened}`);
  });

  it('hand over what the test returns', () => {
    expect(marbles(({ time }) => time('---|'))).toBe(3);
  });
});

describe('equality', () => {
  it.each([
    [Number.NaN, Number.NaN],
    [{ a: [1, { b: null }] }, { a: [1, { b: null }] }],
    [new Date(5), new Date(5)],
    [new Map([[1, { a: 1 }]]), new Map([[1, { a: 1 }]])],
    [new Set(['a']), new Set(['a'])],
    [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    [new RangeError('a'), new RangeError('a')],
  ])('holds for %j', (a, b) => {
    expect(equalDeep(a, b)).toBe(true);
  });

  it.each([
    [0, -0],
    [{ a: undefined }, {}],
    [{}, { a: 1 }],
    [{ a: 1 }, { b: 1 }],
    [[1], { 0: 1 }],
    [new Date(5), new Date(6)],
    [new Set(['a']), new Set(['b'])],
    [new Uint8Array([1]), new Uint8Array([2])],
    [new RangeError('a'), new RangeError('b')],
    [new RangeError('a'), new TypeError('a')],
    [null, {}],
  ])('does not hold for %j and %j', (a, b) => {
    expect(equalDeep(a, b)).toBe(false);
  });
});
