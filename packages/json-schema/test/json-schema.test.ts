import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { StandardJsonSchema, InferJsonSchema } from '../src/index.js';
import { jsonSchema, JsonSchemaError, validator } from '../src/index.js';

describe('a raw schema', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { name: { type: 'string', 'x-mcp-header': 'Name' } },
    required: ['name'],
    'x-vendor': { a: 1 },
  } as const;

  it('is a Standard Schema that returns values unchanged', () => {
    const standard = jsonSchema(schema)['~standard'];
    expect(standard.version).toBe(1);
    const value = { name: 'Ada', more: 1 };
    const result = standard.validate(value);
    expect(result).toEqual({ value });
    expect('value' in result && result.value).toBe(value);
    expect(standard.validate({ name: 1 })).toEqual({
      issues: [{ message: 'must be string', path: ['name'] }],
    });
  });

  it('is returned as it was given, in its dialect, and cannot be changed from outside', () => {
    const given = structuredClone(schema) as Record<string, unknown>;
    const made = jsonSchema(given);
    given['type'] = 'string';
    const told = made['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    expect(told).toEqual(schema);
    told['type'] = 'number';
    expect(made['~standard'].jsonSchema.output({ target: 'draft-2020-12' })).toEqual(schema);
  });

  it('has the type of its literal', () => {
    const _made = () =>
      jsonSchema({
        type: 'object',
        properties: {
          name: { type: 'string' },
          age: { type: 'integer' },
          tags: { type: 'array', items: { enum: ['a', 'b'] } },
          more: {},
        },
        required: ['name', 'tags'],
      });
    type Value = NonNullable<ReturnType<typeof _made>['~standard']['types']>['output'];
    expectTypeOf<Value>().toEqualTypeOf<{
      readonly name: string;
      readonly tags: readonly ('a' | 'b')[];
      readonly age?: number;
      readonly more?: unknown;
    }>();
    expectTypeOf<InferJsonSchema<{ type: readonly ['string', 'null'] }>>().toEqualTypeOf<string | null>();
    expectTypeOf<InferJsonSchema<{ type: 'object' }>>().toEqualTypeOf<Readonly<Record<string, unknown>>>();
    expectTypeOf<InferJsonSchema<Record<string, unknown>>>().toEqualTypeOf<unknown>();
  });

  it('has no type for what its literal leaves open', () => {
    type Mixed = { type: 'array'; prefixItems: [{ type: 'string' }]; items: { type: 'number' } };
    expectTypeOf<InferJsonSchema<Mixed>>().toEqualTypeOf<readonly unknown[]>();
    type Computed = { type: 'object'; properties: Record<string, { type: 'string' }> };
    expectTypeOf<InferJsonSchema<Computed>>().toEqualTypeOf<Readonly<Record<string, unknown>>>();
    const names: string[] = [];
    const some: ('a' | 'b')[] = [];
    const properties = { a: { type: 'string' }, b: { type: 'number' } } as const;
    const _made = [
      jsonSchema({ type: 'object', properties, required: names }),
      jsonSchema({ type: 'object', properties, required: some }),
      jsonSchema({ type: 'object', properties, required: ['a', ...names] }),
    ] as const;
    type Value<S extends (typeof _made)[number]> = NonNullable<S['~standard']['types']>['output'];
    type Open = { readonly a?: string; readonly b?: number };
    expectTypeOf<Value<(typeof _made)[0]>>().toEqualTypeOf<Open>();
    expectTypeOf<Value<(typeof _made)[1]>>().toEqualTypeOf<Open>();
    expectTypeOf<Value<(typeof _made)[2]>>().toEqualTypeOf<Open>();
  });

  it('that is rejected throws an error that names the place', () => {
    const error = ((): unknown => {
      try {
        return jsonSchema({ properties: { a: { pattern: '(a)\\1' } } });
      } catch (caught) {
        return caught;
      }
    })();
    expect(JsonSchemaError.is(error)).toBe(true);
    expect(error).toMatchObject({
      name: 'JsonSchemaError',
      code: 'SCHEMA_UNSUPPORTED_PATTERN',
      pointer: '/properties/a/pattern',
      message:
        'the schema at "/properties/a/pattern": the pattern "(a)\\\\1" is rejected: it has a backreference',
    });
    expect(JsonSchemaError.is(new Error('x'))).toBe(false);
  });
});

describe('format', () => {
  const schema = { format: 'email' };
  const refuses = (made: StandardJsonSchema): boolean =>
    made['~standard'].validate('nobody').issues !== undefined;

  it('is an assertion in a local schema, and an annotation in a schema of the peer', () => {
    expect(refuses(jsonSchema(schema))).toBe(true);
    expect(refuses(validator()(schema))).toBe(false);
  });

  it('is what the option says', () => {
    expect(refuses(jsonSchema(schema, { format: 'annotation' }))).toBe(false);
    expect(refuses(validator({ format: 'assertion' })(schema))).toBe(true);
    expect(() => validator({ format: true as never })).toThrow(RangeError);
    expect(() => jsonSchema(schema, { format: 'none' as never })).toThrow(RangeError);
  });
});

describe('a validator', () => {
  it('row 66: compiles a schema once, however often it is listed', () => {
    const schemas = validator();
    const text = JSON.stringify({ type: 'object', properties: { a: { type: 'string' } } });
    const first = schemas(JSON.parse(text) as object as Record<string, unknown>);
    for (let i = 0; i < 10_000; i += 1)
      expect(schemas(JSON.parse(text) as object as Record<string, unknown>) === first).toBe(true);
  });

  it('row 66: keeps at most maxCachedSchemas, and those that are used', () => {
    const schemas = validator({ maxCachedSchemas: 2 });
    const [a, b, c] = [{ const: 'a' }, { const: 'b' }, { const: 'c' }];
    const [first, second] = [schemas(a), schemas(b)];
    expect(schemas(a)).toBe(first);
    schemas(c);
    expect(schemas(a)).toBe(first);
    expect(schemas(b)).not.toBe(second);
    expect(() => validator({ maxCachedSchemas: 0 })).toThrow(RangeError);
  });

  it('row 66: keeps no more than 32 MiB of large ones', () => {
    const schemas = validator();
    const large = (i: number) => ({ anyOf: [{ const: i }, ...Array.from({ length: 1_900 }, () => ({}))] });
    const first = schemas(large(0));
    for (let i = 1; i < 30; i += 1) schemas(large(i));
    expect(schemas(large(0))).not.toBe(first);
  });

  it('remembers rejected schemas', () => {
    const schemas = validator();
    const error = ((): unknown => {
      try {
        return schemas({ $ref: '#/x' });
      } catch (caught) {
        return caught;
      }
    })();
    expect(() => schemas({ $ref: '#/x' })).toThrow(error as Error);
  });
});

describe('a schema object that a validator knows', () => {
  const quotes = (work: () => void): number => {
    const spied = vi.spyOn(JSON, 'stringify');
    try {
      work();
      return spied.mock.calls.length;
    } finally {
      spied.mockRestore();
    }
  };

  it('row 66: is not read again', () => {
    const schemas = validator();
    const schema = { const: 'a' };
    const first = schemas(schema);
    let again: unknown;
    expect(quotes(() => void (again = schemas(schema)))).toBe(0);
    expect(again).toBe(first);
  });

  it('row 66: and was rejected is rejected again at once', () => {
    const schemas = validator({ maxSchemaBytes: 10 });
    for (const schema of [{ description: 'too long' }, { $ref: '#/x' }]) {
      expect(() => schemas(schema)).toThrow(JsonSchemaError);
      const calls = quotes(() => {
        try {
          schemas(schema);
        } catch {
          // Known.
        }
      });
      expect(calls).toBe(0);
    }
  });

  it('row 66: and was forgotten is compiled again', () => {
    const schemas = validator({ maxCachedSchemas: 1 });
    const schema = { const: 'a' };
    const first = schemas(schema);
    schemas({ const: 'b' });
    expect(schemas(schema)).not.toBe(first);
    expect(schemas(schema)['~standard'].validate('a')).toEqual({ value: 'a' });
  });
});
