import { describe, expect, it } from 'vitest';
import { jsonSchema } from '../src/index.js';

/** The steps that a validation costs, counted by the smallest `maxSteps` that suffices. */
function cost(schema: Record<string, unknown>, value: unknown): number {
  const suffices = (maxSteps: number): boolean => {
    const { issues = [] } = jsonSchema(schema, { maxSteps })['~standard'].validate(value);
    return !issues.some(({ message }) => message.includes('was not checked to its end'));
  };
  let [low, high] = [1, 1_000_000];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (suffices(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const many = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${String(at)}`, at]));
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const anchored = { $dynamicAnchor: 'node', properties: { next: { $dynamicRef: '#node' } } };
const chain = (depth: number): Record<string, unknown> => (depth === 0 ? {} : { next: chain(depth - 1) });
const resources = Array.from({ length: 20 }, (_, at) => [
  `r${String(at)}`,
  {
    $id: `https://test.invalid/${String(at)}`,
    $ref: `https://test.invalid/${at === 19 ? 'end' : String(at + 1)}`,
  },
]);
const nested = {
  $ref: 'https://test.invalid/0',
  $defs: { ...Object.fromEntries(resources), end: { $id: 'https://test.invalid/end', ...anchored } },
};

describe('a validation costs steps by', () => {
  it.each<[what: string, steps: number, schema: Record<string, unknown>, value: unknown]>([
    ['a schema', 1, {}, 1],
    ['two schemas', 2, { allOf: [{}] }, 1],
    ['required names', 5, { required: ['a', 'b', 'c', 'd'] }, { a: 1, b: 1, c: 1, d: 1 }],
    ['members of a small object', 42, { additionalProperties: true }, many(32)],
    ['members of a large object', 92, { additionalProperties: true }, many(40)],
    [
      'members of a large object that are read again',
      343,
      { additionalProperties: {}, patternProperties: { k: {} } },
      many(40),
    ],
    ['dependent names', 5, { dependentRequired: { a: ['b', 'c'], d: [] } }, { a: 1, b: 1, c: 1 }],
    ['items that are not evaluated', 19, { unevaluatedItems: { type: 'number' } }, numbers(9)],
    [
      'what was evaluated',
      84,
      { allOf: [{ items: true }, { prefixItems: [true] }], unevaluatedItems: false },
      numbers(40),
    ],
    [
      'members that were evaluated',
      36,
      { anyOf: [{ additionalProperties: true }], unevaluatedProperties: false },
      many(20),
    ],
    [
      'equal items',
      63,
      { uniqueItems: true },
      [1, 'text', ['a', ['b']], { a: 1, b: { c: null } }, 'x'.repeat(640)],
    ],
    ['a long text within items', 77, { uniqueItems: true }, [['x'.repeat(2_000)]]],
    ['a constant', 14, { const: { a: [1, 2] } }, { a: [1, 2] }],
    ['fractions', 4, { multipleOf: 1e-9 }, 1e20],
    ['a fraction', 2, { multipleOf: 0.5 }, 2.5],
    ['the length of a text', 201, { minLength: 1, maxLength: 10 }, 'x'.repeat(6_400)],
    ['a format', 11, { format: 'email' }, `${'x'.repeat(40)}@example.com`],
    ['a pattern as format', 10, { format: 'regex' }, 'a+b*'],
    ['a pattern that the engine reads', 1_766, { format: 'regex' }, '(?<=a)b'],
    ['a short pattern', 12, { pattern: 'ab' }, 'xxab'],
    ['a pattern that looks ahead', 11, { pattern: '^(?=ab)a' }, 'ab'],
    ['a pattern with alternatives', 12_798, { pattern: '(a|b|[c-f])+$' }, 'abcdef'.repeat(200)],
    ['a class of a pattern', 271, { pattern: '[\\p{L}a-f]x' }, 'abc'.repeat(20)],
    ['the first wrong item', 3, { not: { prefixItems: [false, false, false] } }, [1, 2, 3]],
    ['the first wrong item of many', 3, { not: { items: false } }, numbers(9)],
    [
      'the first wrong member',
      4,
      { not: { properties: { a: false, b: false, c: false } } },
      { a: 1, b: 1, c: 1 },
    ],
    ['the first wrong member of many', 6, { not: { additionalProperties: false } }, many(9)],
    ['each wrong item', 10, { prefixItems: [false, false, false], items: false }, numbers(9)],
    [
      'each wrong member',
      17,
      { properties: { a: false }, additionalProperties: false },
      { ...many(9), a: 1 },
    ],
    ['a dynamic reference', 62, anchored, chain(20)],
    ['a dynamic reference below many resources', 123, nested, chain(20)],
  ])('%s', (_what, steps, schema, value) => {
    expect(cost(schema, value)).toBe(steps);
  });
});
