import { describe, expect, it } from 'vitest';
import { validateContent, validateFormat } from '../src/validate-form.js';
import { flatSchema } from '../src/form-schema.js';
import type { FormField } from '../src/index.js';
import {
  enumField,
  multiSelectField,
  form,
  numberField,
  optional,
  stringField,
  booleanField,
} from '../src/index.js';

const issuesOf = (field: unknown, value: unknown): readonly string[] =>
  validateContent(flatSchema({ type: 'object', properties: { f: field } }), { f: value }).map(
    ({ message }) => message,
  );

describe('the value of a field', () => {
  it.each([
    [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', 'abc', '😀😀😀'], ['a', 'abcd', '😀', 7, null]],
    [{ type: 'number', minimum: 0, maximum: 1 }, [0, 0.5, 1], [-0.1, 1.1, '1', Number.NaN, Infinity]],
    [{ type: 'integer' }, [0, -3], [0.5, '1', true]],
    [{ type: 'boolean' }, [true, false], [0, 'true']],
    [{ type: 'string', enum: ['a', 'b'] }, ['a'], ['c', '', ['a']]],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, ['a'], ['A']],
    [{ type: 'string', const: 'a' }, ['a'], ['b']],
    [{ type: 'string', enum: ['a'], enumNames: ['A'] }, ['a'], ['A']],
    [
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 1 },
      [[], ['b']],
      [['a', 'b'], ['c'], 'a'],
    ],
    [
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, minItems: 1 },
      [['a']],
      [[], ['A'], [7]],
    ],
  ])('%j', (field, good, bad) => {
    for (const value of good) expect(issuesOf(field, value), JSON.stringify(value)).toEqual([]);
    for (const value of bad) expect(issuesOf(field, value), JSON.stringify(value)).toHaveLength(1);
  });

  it.each<FormField>([
    { type: 'string', format: 'email' },
    { type: 'integer' },
    { type: 'string', enum: ['a'] },
  ])('is never in the message about %j', (field) => {
    expect(issuesOf(field, 'sec ret').join()).toMatch(/^(?!.*sec ret).+$/);
  });

  it.each(['__proto__', 'toString', 'constructor'])(
    'is found under the name "%s" only when it is there',
    (name) => {
      const properties = Object.fromEntries([[name, { type: 'string' }]]);
      const schema = flatSchema({ type: 'object', properties, required: [name] });
      expect(validateContent(schema, {})).toEqual([{ message: 'is missing', path: [name] }]);
      expect(validateContent(schema, Object.fromEntries([[name, 'x']]))).toEqual([]);
    },
  );
});

describe('formats', () => {
  it.each([
    ['email', ['a@b', 'ada@example.com'], ['a', 'a@', '@b', 'a@b@c', 'a b@c', `${'a'.repeat(254)}@b`]],
    ['uri', ['https://example.com/a', 'urn:a:b'], ['example.com', '/a', 'http://', '']],
    ['date', ['2024-02-29', '0001-01-01'], ['2023-02-29', '2024-13-01', '2024-1-1', '2024-02-29T00:00:00Z']],
    [
      'date-time',
      ['2024-02-29T23:59:60Z', '2024-02-29t00:00:00.123+14:00'],
      [
        '2024-02-29',
        '2024-02-29T24:00:00Z',
        '2024-02-29T00:00:00',
        '2023-02-29T00:00:00Z',
        '2024-01-01T00:00:00+24:00',
      ],
    ],
  ] as const)('%s', (format, good, bad) => {
    for (const value of good) expect(validateFormat(format, value), value).toBeUndefined();
    for (const value of bad) expect(validateFormat(format, value), value).toBeTypeOf('string');
  });
});

describe('a flat schema', () => {
  const titles = [{ const: 'x', title: 'X' }];

  it('keeps the keywords of forms and leaves the rest to its library', () => {
    const field = {
      type: 'string',
      format: 'uuid',
      pattern: '^a',
      minLength: 1,
      title: 'T',
      description: 'D',
    };
    expect(
      flatSchema({ $schema: 'x', type: 'object', properties: { a: field }, additionalProperties: false }),
    ).toEqual({
      type: 'object',
      properties: { a: { type: 'string', title: 'T', description: 'D', minLength: 1 } },
    });
  });

  it.each([
    [undefined, /type "object"/],
    [{ type: 'array', items: {} }, /type "object"/],
    [{ type: 'object', properties: { a: { type: 'object', properties: {} } } }, /"a".*"object".*flat/],
    [{ type: 'object', properties: { a: { type: ['string', 'null'] } } }, /"a"/],
    [{ type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } } }, /"a"/],
    [{ type: 'object', properties: { a: true } }, /"a"/],
    [
      { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } },
      /"a" of the form is a list/,
    ],
    [{ type: 'object', properties: { a: { type: 'string', enum: [1] } } }, /"a".*choices/],
    [{ type: 'object', properties: { a: { type: 'string', oneOf: titles, enum: 5 } } }, /"a".*choices/],
    [{ type: 'object', properties: { a: { type: 'string', oneOf: 5, enum: ['x'] } } }, /"a".*choices/],
    [{ type: 'object', properties: { a: { type: 'string', maxLength: -1 } } }, /"a".*"maxLength"/],
    [{ type: 'object', properties: {}, required: ['b'] }, /requires "b"/],
    [{ type: 'object', properties: {}, required: 'b' }, /"required"/],
  ])('refuses %j', (schema, text) => {
    expect(() => flatSchema(schema)).toThrow(text);
  });
});

describe('a form', () => {
  it('is sent in the form of the newest revision', () => {
    const made = form({
      name: stringField({ title: 'Name', maxLength: 40, default: 'Ada' }),
      ratio: optional(numberField({ minimum: 0, maximum: 1 })),
      yes: booleanField(),
      one: enumField({ r: 'Red', g: 'Green' }, { default: 'r' }),
      some: multiSelectField(['x', 'y'], { minItems: 1, default: ['x'] }),
      titled: multiSelectField({ x: 'Ex' }),
    });
    const titles = {
      oneOf: [
        { const: 'r', title: 'Red' },
        { const: 'g', title: 'Green' },
      ],
      default: 'r',
    };
    expect(made['~standard'].jsonSchema?.input({ target: 'draft-2020-12' })).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', maxLength: 40, default: 'Ada' },
        ratio: { type: 'number', minimum: 0, maximum: 1 },
        yes: { type: 'boolean' },
        one: { type: 'string', ...titles },
        some: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, minItems: 1, default: ['x'] },
        titled: { type: 'array', items: { anyOf: [{ const: 'x', title: 'Ex' }] } },
      },
      required: ['name', 'yes', 'one', 'some', 'titled'],
    });
  });
});
