import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { jsonSchema } from 'rxmcp/json-schema';
import { expect, it } from 'vitest';

// Names such as `toString` are too much for the other judge.
const key = fc.constantFrom('a', 'b', 'c');
const scalar = fc.constantFrom<unknown>(null, true, 0, -0, 1, 1.5, 7, '', 'a', 'ab', '😀', 'x-1');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

type Schema = Record<string, unknown> | boolean;
const { schema } = fc.letrec<{ schema: Schema; keyword: [string, unknown] }>((tie) => {
  const many = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  const map = fc.uniqueArray(fc.tuple(key, tie('schema')), {
    maxLength: 3,
    selector: ([name]) => name,
  });
  const of = <T>(name: string, operand: fc.Arbitrary<T>) =>
    operand.map((each): [string, unknown] => [name, each]);
  const single = (name: string) => of(name, tie('schema'));
  const count = fc.nat({ max: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.boolean(),
      fc.array(tie('keyword'), { maxLength: 4 }).map((entries): Schema => Object.fromEntries(entries)),
    ),
    keyword: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      of('type', fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'null', 'boolean')),
      of('type', fc.constant(['string', 'integer'])),
      of('const', value),
      of('enum', fc.uniqueArray(scalar, { minLength: 1, maxLength: 3, comparator: (x, y) => x === y })),
      ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((name) =>
        of(name, count),
      ),
      ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name) =>
        of(name, fc.constantFrom(0, 1, 1.5)),
      ),
      of('multipleOf', fc.constantFrom(1, 0.5, 2)),
      of('pattern', fc.constantFrom('^a', 'b$', '^[a-z]+-\\d$', '.')),
      of('uniqueItems', fc.boolean()),
      of('required', fc.uniqueArray(key, { maxLength: 2 })),
      of(
        'properties',
        map.map((entries) => Object.fromEntries(entries)),
      ),
      of(
        'patternProperties',
        tie('schema').map((each) => ({ '^[ab]': each })),
      ),
      of('dependentRequired', fc.constant({ a: ['b'] })),
      of(
        'dependentSchemas',
        tie('schema').map((each) => ({ a: each })),
      ),
      ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((name) => of(name, many)),
      // Without `contains`, for which the other judge takes an empty array, and without what is unevaluated, where it counts what
      // branches found that failed.
      ...['not', 'if', 'then', 'else', 'items', 'additionalProperties', 'propertyNames'].map(single),
      of('$ref', fc.constantFrom('#/$defs/s', '#name', '#/$defs/s/properties/a')),
    ),
  };
});

const known = { $defs: { s: { $anchor: 'name', properties: { a: { type: 'string' } }, minProperties: 1 } } };

it('agrees with another validator on all schemas and values', () => {
  let judged = 0;
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    logger: false,
    unevaluated: false,
  });
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 5 }), (drawn, values) => {
      const whole = { ...known, allOf: [drawn] };
      const other = ajv.compile(whole);
      const own = jsonSchema(whole)['~standard'];
      ajv.removeSchema(whole);
      for (const each of values) {
        const verdict = verdictOf(() => other(each));
        if (verdict === undefined) continue;
        judged += 1;
        expect([each, own.validate(each).issues === undefined]).toEqual([each, verdict]);
      }
    }),
    { numRuns: 300 },
  );
  expect(judged).toBeGreaterThan(300);
});

/** What the other judge says; nothing where its own code throws, as it does for some branches that look at the same member. */
function verdictOf(judge: () => unknown): unknown {
  try {
    return judge();
  } catch {
    return undefined;
  }
}
