import { describe, expect, it } from 'vitest';
import { holds, problems, refusal } from './checking.js';

type Case = [schema: Record<string, unknown>, good: unknown[], bad: unknown[]];

it.each<Case>([
  [{ type: 'integer' }, [1, 1.0, -0], [1.5, '1', null]],
  [{ type: ['string', 'null'] }, ['', null], [0, [], {}]],
  [{ type: 'number' }, [1.5], ['1', NaN.toString()]],
  [{ const: { a: [1], b: null } }, [{ b: null, a: [1] }], [{ a: [1] }, null]],
  [{ enum: [1, 'a', null, [0]] }, [1, 'a', null, [0]], [0, [], '1', 1n]],
  [{ multipleOf: 0.1 }, [0.3, 1, 4.2], [0.35]],
  [{ multipleOf: 1e-7 }, [3e-7, 1], [1.5e-8]],
  [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'x'], [0, 3]],
  [{ exclusiveMinimum: 1, maximum: 3 }, [3], [1, 3.1]],
  [{ minLength: 2, maxLength: 3 }, ['ab', '😀😀😀', 1], ['a', '😀', 'abcd']],
  [{ pattern: 'a+b' }, ['xaab', 1], ['b']],
  [
    { format: 'date-time' },
    ['2026-01-01T00:00:00Z', '2026-01-01t00:00:00z', '2026-01-01 00:00:00Z', 1],
    ['2026-13-01T00:00:00Z', 'x', '2026-01-01\n00:00:00Z', '2026-01-01\u200200:00:00Z'],
  ],
  [{ format: 'email' }, ['a@b.cd'], ['a']],
  [{ format: 'ipv4' }, ['127.0.0.1'], ['127.0.0.256']],
  [{ format: 'date' }, ['2026-02-28'], ['2026-02-30']],
  [{ format: 'time' }, ['12:30:00Z'], ['25:30:00Z']],
  [{ format: 'duration' }, ['P1DT2H'], ['1D']],
  [{ format: 'uri' }, ['https://a.b/c'], ['../c']],
  [{ format: 'uri-reference' }, ['../c?d#e'], ['\\\\a']],
  [{ format: 'uri-template' }, ['/a/{b}'], ['/a/{b']],
  [{ format: 'hostname' }, ['a.example'], ['-a']],
  [{ format: 'ipv6' }, ['::1'], ['12345::']],
  [{ format: 'uuid' }, ['2f0ad2c4-5f2b-4c6e-8f6e-3f0f5a1f9b7d'], ['2f0ad2c4']],
  [{ format: 'json-pointer' }, ['/a/0'], ['a']],
  [{ format: 'relative-json-pointer' }, ['1/a'], ['/a']],
  [{ format: 'regex' }, ['a+'], ['(']],
  [{ format: '__proto__' }, ['x'], []],
  [{ format: 'hasOwnProperty' }, ['x'], []],
  [{ format: 'url' }, ['anything'], []],
  [{ not: { type: 'string' } }, [1], ['x']],
  [{ anyOf: [{ minimum: 3 }, { type: 'string' }] }, [3, 'x'], [2]],
  [{ oneOf: [{ minimum: 3 }, { maximum: 5 }] }, [2, 6], [4]],
  [{ allOf: [{ minimum: 3 }, { maximum: 5 }] }, [4], [2, 6]],
  [{ if: { minimum: 3 }, then: { multipleOf: 2 }, else: { const: 1 } }, [4, 1], [5, 2]],
  [{ required: ['__proto__'] }, [JSON.parse('{"__proto__":1}'), 1], [{}]],
  [{ properties: JSON.parse('{"__proto__":{"type":"string"}}') }, [{}], [JSON.parse('{"__proto__":1}')]],
  [{ properties: { toString: { type: 'string' } } }, [{}], [{ toString: 1 }]],
  [
    { properties: { a: {} }, patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
    [{ a: 1, xb: 1 }],
    [{ b: 1 }, { xa: '' }],
  ],
  [{ additionalProperties: { type: 'string' } }, [{ a: '' }, { a: undefined }], [{ a: 1 }]],
  [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: undefined }, { a: 1, b: 1, c: 1 }]],
  [{ dependentRequired: { a: ['b'] } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ dependentSchemas: { a: { required: ['b'] } } }, [{ b: 1 }], [{ a: 1 }]],
  [{ dependencies: { a: ['b'], c: { required: ['d'] } } }, [{}], [{ a: 1 }, { c: 1 }]],
  [{ prefixItems: [{ type: 'string' }], items: { type: 'number' } }, [['a', 1], []], [[1], ['a', 'b']]],
  [{ items: [{ type: 'string' }], additionalItems: false }, [['a']], [['a', 1]]],
  [{ contains: { type: 'string' } }, [[1, '']], [[], [1]]],
  [{ contains: { type: 'string' }, minContains: 0, maxContains: 1 }, [[], ['']], [['', '']]],
  [
    { uniqueItems: true },
    [[1, '1', true, [1], { a: 1 }]],
    [
      [1, 1.0],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  [{ minItems: 1, maxItems: 2 }, [[1]], [[], [1, 2, 3]]],
  [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, [{ a: 1 }], [{ a: 1, b: 1 }]],
  [
    {
      anyOf: [{ required: ['a'], properties: { a: true } }, { properties: { b: true } }],
      unevaluatedProperties: false,
    },
    [{ a: 1, b: 1 }, { b: 1 }],
    [{ c: 1 }],
  ],
  [{ allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] }, [{}], [{ a: 1 }]],
  [{ not: { not: { properties: { a: true } } }, unevaluatedProperties: false }, [{}], [{ a: 1 }]],
  [{ prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false }, [[1, 'x']], [[1, 2, 'x']]],
  [
    { if: { properties: { a: { const: 1 } }, required: ['a'] }, unevaluatedProperties: false },
    [{ a: 1 }, {}],
    [{ a: 2 }],
  ],
  [{ properties: { a: false } }, [{}], [{ a: 1 }]],
  [
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { a: { $ref: '#/definitions/s', minLength: 9 } },
      definitions: { s: { type: 'string' } },
    },
    [{ a: 'x' }],
    [{ a: 1 }],
  ],
  [
    {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      $recursiveAnchor: true,
      properties: { a: { $recursiveRef: '#' } },
      additionalProperties: false,
    },
    [{ a: { a: {} } }],
    [{ a: { b: 1 } }],
  ],
])('%j', (schema, good, bad) => {
  expect(good.map((value) => [value, problems(schema, value)])).toEqual(good.map((value) => [value, []]));
  expect(bad.filter((value) => holds(schema, value))).toEqual([]);
});

describe('rejects an invalid value of a keyword:', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ type: 'text' }, '/type'],
    [{ properties: [] }, '/properties'],
    [{ properties: { a: 1 } }, '/properties/a'],
    [{ required: 'a' }, '/required'],
    [{ minLength: '1' }, '/minLength'],
    [{ minItems: -1 }, '/minItems'],
    [{ minimum: '1' }, '/minimum'],
    [{ multipleOf: 0 }, '/multipleOf'],
    [{ anyOf: {} }, '/anyOf'],
    [{ dependentRequired: { a: {} } }, '/dependentRequired/a'],
    [{ dependentRequired: { a: true } }, '/dependentRequired/a'],
    [{ dependentSchemas: { a: ['b'] } }, '/dependentSchemas/a'],
    [{ dependencies: { a: [1] } }, '/dependencies/a'],
    [{ format: 1 }, '/format'],
    [{ enum: 'a' }, '/enum'],
    [{ pattern: 1 }, '/pattern'],
    [{ items: 1 }, '/items'],
    [{ $id: 1 }, '/$id'],
    [{ $ref: 1 }, '/$ref'],
  ])('%j', (schema, at) => {
    expect(refusal(schema)).toMatchObject({ code: 'SCHEMA_INVALID', at });
  });

  it.each(['http://json-schema.org/draft-04/schema#', 'https://example.com/dialect', 7])(
    'the dialect %s',
    ($schema) => {
      expect(refusal({ $schema })).toMatchObject({ code: 'SCHEMA_UNSUPPORTED_DIALECT' });
    },
  );
});
