import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cloneJson } from '../../src/internal.js';
import { rounds } from '../../../../vitest.rounds.js';

const refused = expect.objectContaining({ code: 'INVALID_MESSAGE', name: 'WireError' });

describe('cloneJson', () => {
  it('copies as a trip through JSON does', () => {
    const anything = fc.anything({
      withNullPrototype: true,
      withSparseArray: true,
      withDate: true,
      withBigInt: false,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const text = JSON.stringify(value) as string | undefined;
        expect(cloneJson(value)).toEqual(text === undefined ? undefined : JSON.parse(text));
      }),
      { numRuns: rounds(2_000) },
    );
  });

  it.each([
    [{ a: undefined, b: () => 1, c: Symbol('c'), d: 1 }],
    [[undefined, () => 1, Symbol('c'), NaN, -Infinity, -0]],
    [{ at: new Date(0), nested: { toJSON: (key: string) => `for ${key}` } }],
    [
      new (class Point {
        x = 1;
        get y(): number {
          return 2;
        }
      })(),
    ],
    [new Map([[1, 2]])],
    [{ toJSON: 'a remote member' }],
  ])('%# is as JSON has it', (value) => {
    expect(cloneJson<unknown>(value)).toStrictEqual(JSON.parse(JSON.stringify(value)));
  });

  it('shares nothing with the original', () => {
    const from = { list: [{ a: 1 }] };
    const to = cloneJson(from);
    to.list[0]!.a = 2;
    to.list.push({ a: 3 });
    expect(from).toEqual({ list: [{ a: 1 }] });
  });

  it('row 18: __proto__, constructor and prototype are own members of the copy', () => {
    const text =
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"a":{"__proto__":null}}';
    const to = cloneJson(JSON.parse(text) as Record<string, unknown>);
    expect(JSON.stringify(to)).toBe(text);
    expect(Object.getPrototypeOf(to)).toBe(Object.prototype);
    expect(to.admin).toBeUndefined();
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('row 19: takes 128 levels and refuses more, and cycles', () => {
    const nest = (depth: number): unknown => {
      let value: unknown = 1;
      for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value };
      return value;
    };
    expect(cloneJson(nest(128))).toEqual(nest(128));
    for (const depth of [129, 5_000, 200_000]) expect(() => cloneJson(nest(depth))).toThrow(refused);
    const cycle: Record<string, unknown> = {};
    cycle.one = { cycle };
    cycle.other = [cycle];
    expect(() => cloneJson(cycle)).toThrow(refused);
    // An object is asked once what it is as JSON, and adds no level of its own.
    const itself = { a: 1, toJSON: (): unknown => itself };
    expect(cloneJson(itself)).toEqual({ a: 1 });
    const inside = (levels: number, value: unknown): unknown =>
      levels === 0 ? value : [inside(levels - 1, value)];
    for (const most of [inside(128, new Date(0)), inside(127, { toJSON: () => ({}) })])
      expect(JSON.stringify(cloneJson(most))).toBe(JSON.stringify(most));
    expect(() => cloneJson(inside(128, { toJSON: () => ({}) }))).toThrow(refused);
  });

  it('row 20: takes 200,000 values and refuses more, however they are shared', () => {
    // The outermost counts too, as it does in a text.
    const most = { list: new Array<number>(199_998).fill(0) };
    expect(cloneJson(most)).toEqual(most);
    expect(() => cloneJson({ ...most, one: 1 })).toThrow('more than 200000 values');
    expect(() => cloneJson(new Array(200_000))).toThrow(refused);
    let doubled: unknown = 1;
    for (let level = 0; level < 100; level++) doubled = [doubled, doubled];
    expect(() => cloneJson(doubled)).toThrow(refused);
    expect(cloneJson(most)).toEqual(most);
  });

  it('row 20: counts the values of each copy separately, also of one that is made inside another', () => {
    const many = new Array<number>(150_000).fill(0);
    const copies = { toJSON: () => cloneJson(many).length };
    expect(cloneJson([many, copies])).toEqual([many, 150_000]);
    expect(() => cloneJson([many, copies, many])).toThrow('more than 200000 values');
  });

  it('refuses a BigInt, naming its member', () => {
    expect(() => cloneJson({ list: [{ size: 1n }] })).toThrow(refused);
    expect(() => cloneJson({ size: 1n })).toThrow('"size"');
  });
});
