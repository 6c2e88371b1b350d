import { delay, map, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { equalDeep } from '../../src/marble/equal-deep.js';
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

  it('return what the test returns', () => {
    expect(marbles(({ time }) => time('---|'))).toBe(3);
  });
});

class Money {
  readonly #cents: number;
  constructor(cents: number) {
    this.#cents = cents;
  }
  get cents(): number {
    return this.#cents;
  }
}
class Point {
  constructor(readonly x: number) {}
}
const bytes = (...all: number[]) => new Uint8Array(all).buffer;
const empty = () => Object.create(null) as object;

describe('equality', () => {
  it.each([
    ['not a number', Number.NaN, Number.NaN],
    ['objects', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
    ['empty objects', [{}, [], empty()], [{}, [], empty()]],
    ['members of symbols', { [Symbol.for('a')]: 1 }, { [Symbol.for('a')]: 1 }],
    ['instances with members', new Point(1), new Point(1)],
    ['dates', new Date(5), new Date(5)],
    ['invalid dates', new Date(Number.NaN), new Date(Number.NaN)],
    ['maps', new Map([[1, { a: 1 }]]), new Map([[1, { a: 1 }]])],
    ['sets', new Set(['a']), new Set(['a'])],
    ['bytes', new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    ['no bytes', new Uint8Array(0), new Uint8Array(0)],
    ['buffers', bytes(1), bytes(1)],
    ['views', new DataView(bytes(1, 2), 1), new DataView(bytes(2))],
    ['addresses', new URL('http://a/'), new URL('http://a/')],
    ['queries', new URLSearchParams('a=1'), new URLSearchParams('a=1')],
    ['patterns', /a/g, /a/g],
    ['errors', new RangeError('a'), new RangeError('a')],
    ['causes', new Error('a', { cause: { b: 1 } }), new Error('a', { cause: { b: 1 } })],
    ['several errors', new AggregateError([1], 'a'), new AggregateError([1], 'a')],
  ])('holds for %s', (_name, a: unknown, b: unknown) => {
    expect(equalDeep(a, b)).toBe(true);
  });

  it.each([
    ['signs', 0, -0],
    ['members', { a: undefined }, {}],
    ['more members', {}, { a: 1 }],
    ['names', { a: 1 }, { b: 1 }],
    ['members of symbols', { [Symbol.for('a')]: 1 }, { [Symbol.for('a')]: 2 }],
    ['kinds', [1], { 0: 1 }],
    ['lengths', new Array(1), []],
    ['dates', new Date(5), new Date(6)],
    ['sets', new Set(['a']), new Set(['b'])],
    ['bytes', new Uint8Array([1]), new Uint8Array([2])],
    ['buffers', bytes(1), bytes(2)],
    ['views', new DataView(bytes(1)), new DataView(bytes(2))],
    ['addresses', new URL('http://a/'), new URL('http://b/')],
    ['queries', new URLSearchParams('a=1'), new URLSearchParams('a=2')],
    ['patterns', /a/, /b/],
    ['flags', /a/, /a/g],
    ['texts of errors', new RangeError('a'), new RangeError('b')],
    ['kinds of errors', new RangeError('a'), new TypeError('a')],
    ['causes', new Error('a', { cause: 1 }), new Error('a', { cause: 2 })],
    ['several errors', new AggregateError([1], 'a'), new AggregateError([2], 'a')],
    ['what is private', new Money(1), new Money(2)],
    ['promises', Promise.resolve(1), Promise.resolve(2)],
    ['headers', new Headers({ a: '1' }), new Headers({ a: '2' })],
    ['nothing', null, {}],
  ])('does not hold for other %s', (_name, a: unknown, b: unknown) => {
    expect(equalDeep(a, b)).toBe(false);
    expect(equalDeep(b, a)).toBe(false);
  });

  it('holds for what contains itself', () => {
    const circle = (end: number): unknown => {
      const one: { self?: unknown; end: number } = { end };
      one.self = { one };
      return one;
    };
    expect(equalDeep(circle(1), circle(1))).toBe(true);
    expect(equalDeep(circle(1), circle(2))).toBe(false);
  });
});
