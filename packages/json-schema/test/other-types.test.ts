import { expect, it } from 'vitest';
import { holds } from './checking.js';

const no = { not: {} };
const keywords: Readonly<Record<string, readonly [schema: Record<string, unknown>, wrong: unknown]>> = {
  array: [
    {
      items: no,
      contains: no,
      prefixItems: [no],
      minItems: 9,
      maxItems: 0,
      uniqueItems: true,
      unevaluatedItems: false,
    },
    [1, 1],
  ],
  object: [
    {
      properties: { a: no },
      patternProperties: { a: no },
      additionalProperties: false,
      propertyNames: no,
      required: ['b'],
      minProperties: 9,
      maxProperties: 0,
      dependentRequired: { a: ['b'] },
      dependentSchemas: { a: no },
      unevaluatedProperties: false,
    },
    { a: 1 },
  ],
  string: [{ minLength: 9, maxLength: 0, pattern: 'b', format: 'email' }, 'a'],
  number: [{ minimum: 9, maximum: 1, exclusiveMinimum: 9, exclusiveMaximum: 1, multipleOf: 7 }, 2],
};
const cases = Object.entries(keywords).flatMap(([type, [schema, wrong]]) =>
  Object.entries(schema).map(([keyword, operand]) => [type, keyword, operand, wrong] as const),
);

it.each(cases)('of the values, only one of type %s can break "%s"', (type, keyword, operand, wrong) => {
  expect(holds({ [keyword]: operand }, wrong)).toBe(false);
  for (const [other, [, value]] of Object.entries(keywords))
    if (other !== type) expect([other, holds({ [keyword]: operand }, value)]).toEqual([other, true]);
  for (const value of [null, true]) expect(holds({ [keyword]: operand }, value)).toBe(true);
});
