import { describe, expect, it, vi } from 'vitest';
import { givenUp, problems, refusal } from './checking.js';

const nested = (levels: number): Record<string, unknown> => (levels === 0 ? {} : { not: nested(levels - 1) });

/** Branches that refer to branches. */
const bomb = (levels: number, width: number): Record<string, unknown> => ({
  $ref: `#/$defs/d${levels}`,
  $defs: Object.fromEntries(
    Array.from({ length: levels + 1 }, (_, i) => [
      `d${i}`,
      i === 0
        ? { type: 'string' }
        : { anyOf: Array.from({ length: width }, () => ({ $ref: `#/$defs/d${i - 1}` })) },
    ]),
  ),
});

describe('a schema', () => {
  it.each<[string, unknown, string]>([
    ['larger than 64 KiB', { description: 'x'.repeat(65_536) }, 'SCHEMA_TOO_LARGE'],
    ['larger than 64 KiB in UTF-8', { description: 'é'.repeat(33_000) }, 'SCHEMA_TOO_LARGE'],
    ['deeper than 32', nested(33), 'SCHEMA_TOO_DEEP'],
    [
      'with data deeper than a message',
      { const: JSON.parse('['.repeat(200) + ']'.repeat(200)) },
      'SCHEMA_TOO_DEEP',
    ],
    ['of more than 2,000', { anyOf: Array.from({ length: 2_001 }, () => true) }, 'SCHEMA_TOO_COMPLEX'],
    ['that fans out', bomb(7, 6), 'SCHEMA_TOO_COMPLEX'],
    ['that refers to itself', { $ref: '#' }, 'SCHEMA_CIRCULAR_REF'],
    [
      'that refers to itself around a corner',
      { anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { not: { $ref: '#' } } } },
      'SCHEMA_CIRCULAR_REF',
    ],
    ['that refers to itself late', { $dynamicAnchor: 'a', $dynamicRef: '#a' }, 'SCHEMA_CIRCULAR_REF'],
    [
      'with a name twice',
      { $defs: { a: { $id: 'http://x/y' }, b: { $id: 'http://x/y' } } },
      'SCHEMA_DUPLICATE_ID',
    ],
    ['with an anchor twice', { $defs: { a: { $anchor: 'y' }, b: { $anchor: 'y' } } }, 'SCHEMA_DUPLICATE_ID'],
    [
      'of too large patterns',
      { anyOf: Array.from({ length: 3 }, (_, i) => ({ pattern: `a{${9_000 + i}}` })) },
      'SCHEMA_UNSUPPORTED_PATTERN',
    ],
    ['an array instead of a schema', [], 'SCHEMA_INVALID'],
    ['that is no JSON', 1n, 'SCHEMA_INVALID'],
    ['that is nothing', undefined, 'SCHEMA_INVALID'],
  ])('row 64: %s is refused', (_, schema, code) => {
    expect(refusal(schema)).toMatchObject({ code });
  });

  it('row 64: brackets count for its depth only outside of strings', () => {
    const brackets = '['.repeat(200);
    expect(problems({ const: `\\"${brackets}` }, brackets)).toHaveLength(1);
    const lists: unknown = JSON.parse(brackets + ']'.repeat(200));
    const objects: unknown = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`);
    for (const deep of [lists, objects])
      expect(refusal({ examples: [']}"', deep] })).toMatchObject({ code: 'SCHEMA_TOO_DEEP' });
    expect(problems({ examples: Array.from({ length: 200 }, () => [{}]) }, 1)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a name', { $id: `http://x/${'a'.repeat(2_040)}` }, '/$id'],
    ['a name that is long in full', { $id: `http://x/${'é'.repeat(400)}` }, '/$id'],
    [
      'a name that is long by what it is relative to',
      { $id: `http://x/${'a/'.repeat(1_000)}`, not: { $id: 'b'.repeat(100) } },
      '/not/$id',
    ],
    ['a reference', { $ref: `http://${'一'.repeat(10_000)}/` }, '/$ref'],
  ])('row 64: %s of more than 2,048 characters is refused', (_, schema, at) => {
    expect(refusal(schema)).toMatchObject({ code: 'SCHEMA_INVALID', at });
  });

  it('may have names, and pointers of any length, up to that', () => {
    const key = 'k'.repeat(3_000);
    const $id = `http://x/${'a'.repeat(2_039)}`;
    const schema = { $id, $ref: `${$id}#/$defs/${key}`, $defs: { [key]: { type: 'string' } } };
    expect(problems(schema, 'x')).toEqual([]);
    expect(problems(schema, 1)).toEqual(['must be string']);
  });

  it('row 64: late references look only for anchors of their own name', () => {
    const names = Array.from({ length: 900 }, (_, i) => `a${i}`);
    const $defs = Object.fromEntries(names.map((name) => [name, { $dynamicAnchor: name }]));
    const looks = vi.spyOn(String.prototype, 'indexOf');
    expect(problems({ $defs, allOf: names.map((name) => ({ $dynamicRef: `#${name}` })) }, 1)).toEqual([]);
    expect(looks.mock.calls.length).toBeLessThan(10 * names.length);
    looks.mockRestore();
  });

  const many = { not: { anyOf: Array.from({ length: 9 }, () => ({})) } };
  it.each<[string, unknown]>([
    ...['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'].map((word): [string, unknown] => [word, [many]]),
    ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies'].map(
      (word): [string, unknown] => [word, { a: many }],
    ),
    ...['not', 'if', 'items', 'contains', 'propertyNames', 'additionalProperties'].map(
      (word): [string, unknown] => [word, many],
    ),
    ['unevaluatedItems', many],
    ['unevaluatedProperties', many],
  ])('row 64: counts the schemas in %s', (keyword, operand) => {
    expect(refusal({ [keyword]: operand }, { maxSubschemas: 5 })).toMatchObject({
      code: 'SCHEMA_TOO_COMPLEX',
    });
    expect(refusal({ [keyword]: operand }, { maxSchemaDepth: 2 })).toMatchObject({ code: 'SCHEMA_TOO_DEEP' });
  });

  it('row 64: names within names within names are read once each', () => {
    const ids = (levels: number): Record<string, unknown> =>
      levels === 0 ? { type: 'string' } : { $id: `http://x/${levels}`, not: ids(levels - 1) };
    expect(problems(ids(30), 'x')).toEqual([]);
  });

  it('may be as large and deep as that', () => {
    expect(problems(nested(32), 1)).toHaveLength(0);
    expect(problems({ anyOf: Array.from({ length: 1_999 }, () => true) }, 1)).toEqual([]);
    expect(problems(bomb(4, 8), 'x')).toEqual([]);
  });

  it('may refer to itself with a step into the value', () => {
    const tree = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } };
    expect(problems(tree, { kids: [{ kids: [] }, {}] })).toEqual([]);
    expect(problems(tree, { kids: [{ kids: [1] }] })).toEqual(['kids.0.kids.0: must be object']);
  });

  it('has custom limits', () => {
    expect(refusal({ not: { not: {} } }, { maxSchemaDepth: 1 })).toMatchObject({
      code: 'SCHEMA_TOO_DEEP',
      at: '/not/not',
    });
    expect(() => problems({}, 1, { maxSteps: 0 })).toThrow(RangeError);
    expect(() => problems({}, 1, { maxSchemaBytes: 1.5 })).toThrow(RangeError);
  });
});

describe('a check', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    [
      'of many branches for many items',
      { items: { anyOf: [{ $ref: '#/$defs/d4' }, true] }, $defs: bomb(4, 8)['$defs'] },
      Array(10_000).fill(0),
    ],
    [
      'of a long enumeration for large data',
      { items: { not: { enum: [[], ...Array.from({ length: 9_000 }, (_, i) => i)] } } },
      Array(200).fill(Array(9_000).fill(0)),
    ],
    ['of a large pattern for a long text', { pattern: '(x+x+y?){1500}z' }, 'x'.repeat(1_000_000)],
    ['of looks ahead at each place', { pattern: '((?=.*b)a)*$' }, 'a'.repeat(100_000)],
    ['of looks ahead within looks ahead', { pattern: '(?=.+(?=.+c))a' }, 'ab'.repeat(50_000)],
    [
      'of many names that must be there',
      { items: { anyOf: [{ required: Array.from({ length: 7_000 }, (_, i) => `a${i}`) }, true] } },
      Array(10_000).fill({}),
    ],
    [
      'of patterns for many names',
      { patternProperties: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`(x|y)*${i}$`, true])) },
      Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`xyxyxyxyxyxy${i}`, 1])),
    ],
  ])('row 64: %s ends with its budget', (_, schema, value) => {
    expect(problems(schema, value, { maxSteps: 300_000 })).toEqual(givenUp(300_000));
  });

  it('row 64: of 20,000 different items is quick', () => {
    expect(
      problems(
        { uniqueItems: true },
        Array.from({ length: 20_000 }, (_, i) => ({ i })),
      ),
    ).toEqual([]);
  });

  it('of a value that contains itself ends', () => {
    const value: unknown[] = [];
    value.push(value);
    expect(problems({ items: { $ref: '#' } }, value)).toHaveLength(1);
    expect(problems({ uniqueItems: true }, value)).toEqual([
      'was not checked to its end: it is nested too deeply',
    ]);
  });

  it('reports at most ten problems', () => {
    expect(problems({ items: { type: 'string' } }, Array(1_000).fill(1))).toHaveLength(10);
  });
});

describe('a reference', () => {
  it.each([
    'http://127.0.0.1:9/x',
    'https://example.com/schema.json',
    'file:///etc/passwd',
    'other.json',
    '//x/y',
    'data:,{}',
    '#/nowhere',
    '#nothing',
    'http://[',
  ])('row 65: to %s is refused by name and never opened', (target) => {
    const opened = vi.spyOn(globalThis, 'fetch');
    expect(refusal({ properties: { a: { $ref: target } } })).toMatchObject({
      code: 'SCHEMA_UNRESOLVED_REF',
      at: '/properties/a/$ref',
      message: expect.stringContaining(target),
    });
    expect(opened).not.toHaveBeenCalled();
    opened.mockRestore();
  });

  it.each<[string, Record<string, unknown>]>([
    ['a pointer', { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': { type: 'string' } } }],
    ['an anchor', { $ref: '#a', $defs: { x: { $anchor: 'a', type: 'string' } } }],
    ['a name', { $ref: 'http://x/a', $defs: { x: { $id: 'http://x/a', type: 'string' } } }],
    [
      'a name relative to another',
      { $id: 'http://x/a/b', $ref: 'c', $defs: { x: { $id: 'c', type: 'string' } } },
    ],
    [
      'a pointer in a name',
      { $ref: 'http://x/a#/$defs/y', $defs: { x: { $id: 'http://x/a', $defs: { y: { type: 'string' } } } } },
    ],
    ['an unknown keyword', { $ref: '#/x-shapes/one', 'x-shapes': { one: { type: 'string' } } }],
    [
      'itself under a name',
      { $id: 'http://x/a', anyOf: [{ $ref: '#/$defs/s' }], $defs: { s: { type: 'string' } } },
    ],
    [
      'an anchor of draft-07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: '#a',
        definitions: { x: { $id: '#a', type: 'string' } },
      },
    ],
  ])('leads to %s', (_, schema) => {
    expect(problems(schema, 'x')).toEqual([]);
    expect(problems(schema, 1)).not.toEqual([]);
  });

  it('that is resolved late points to the outermost schema with that anchor', () => {
    const tree = {
      $id: 'http://x/tree',
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
    };
    const strict = {
      $id: 'http://x/strict',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: { tree },
    };
    expect(problems(strict, { children: [{ data: 1 }] })).toEqual([]);
    expect(problems(strict, { children: [{ daat: 1 }] })).toEqual(['children.0.daat: must not be there']);
    expect(problems(tree, { children: [{ daat: 1 }] })).toEqual([]);
  });
});

it('uniqueItems gives no Set a text that V8 would hash by its length alone', () => {
  const add = vi.spyOn(Set.prototype, 'add');
  const texts = Array.from({ length: 50 }, (_, i) => 'x'.repeat(20_000) + String(i));
  expect(problems({ uniqueItems: true }, [...texts, 'a', 'b', 1, {}])).toEqual([]);
  expect(problems({ uniqueItems: true }, [...texts, 'a', 'b', 'a'])).toHaveLength(1);
  expect(problems({ uniqueItems: true }, [...texts, 'a', texts[7]])).toHaveLength(1);
  const longest = Math.max(...add.mock.calls.map(([value]) => String(value).length));
  add.mockRestore();
  expect(longest).toBeLessThan(16_384);
});
