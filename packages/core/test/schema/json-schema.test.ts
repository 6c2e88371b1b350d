import { expect, it } from 'vitest';
import type { StandardSchema } from '../../src/index.js';
import { copyJsonSchema, formatProblems } from '../../src/schema/json-schema.js';

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
