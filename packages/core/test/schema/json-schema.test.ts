import { expect, it } from 'vitest';
import type { StandardSchema } from '../../src/index.js';
import { copyJsonSchema, formatProblems, toJsonSchema } from '../../src/schema/json-schema.js';

const name: StandardSchema = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
};
const callable = Object.assign(() => undefined, name);

it('copies a JSON Schema', () => {
  const json = { type: 'object', properties: { name: { type: 'string', enum: ['~standard'] } } };
  expect(copyJsonSchema('the input', json)).toEqual(json);
  expect(copyJsonSchema('the input', json)).not.toBe(json);
  expect(Object.isFrozen(copyJsonSchema('the input', json))).toBe(true);
});

it.each([
  ['an object of schemas', { name }],
  ['an object of schemas that are functions', { name: callable }],
  ['schemas among the properties of a JSON Schema', { type: 'object', properties: { name } }],
])('refuses %s', (_, given) => {
  expect(() => copyJsonSchema('the input of tool "x"', given)).toThrow(
    new TypeError(
      'the input of tool "x": "name" is a schema, but the object around it is not: wrap it in z.object(...)',
    ),
  );
});

it('refuses a schema in a list of a JSON Schema', () => {
  expect(() => copyJsonSchema('the input', { anyOf: [name] })).toThrow(TypeError);
});

it.each([
  [10, 'no; no; no; no; no; no; no; no; no; no'],
  [12, 'no; no; no; no; no; no; no; no; no; no; and 2 more'],
])('names at most ten of %i problems', (count, text) => {
  expect(formatProblems(Array.from({ length: count }, () => ({ message: 'no' })))).toBe(text);
});

it('asks a schema for its JSON Schema of a side', () => {
  const sides = { input: () => ({ type: 'string' }), output: () => ({ type: 'number' }) };
  const convertible = { '~standard': { ...name['~standard'], jsonSchema: sides } } as StandardSchema;
  expect(toJsonSchema('the input', convertible, 'input')).toEqual({ type: 'string' });
  expect(toJsonSchema('the output', convertible, 'output')).toEqual({ type: 'number' });
  expect(() => toJsonSchema('the input', name, 'input')).toThrow(
    /^the input cannot be converted to JSON Schema: "test" has no ~standard\.jsonSchema/,
  );
  const broken = {
    ...sides,
    input: () => {
      throw new Error('a date');
    },
  };
  const failing = { '~standard': { ...name['~standard'], jsonSchema: broken } } as unknown as StandardSchema;
  expect(() => toJsonSchema('the input', failing, 'input')).toThrow(
    'the input cannot be converted to JSON Schema: Error: a date',
  );
});

it.each([null, 'text', [], undefined])('%j is no JSON Schema', (json) => {
  expect(() => copyJsonSchema('the input', json)).toThrow(
    'the input is neither a Standard Schema nor a JSON Schema',
  );
});
