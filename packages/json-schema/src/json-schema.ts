import type { Checker } from './check.js';
import { checkerOf } from './check.js';
import type { InferJson } from './infer.js';
import type { JsonSchemaOptions } from './options.js';
import { settingsOf } from './options.js';
import { type RawObject, rawOf } from './raw.js';
import type { CheckedSchema } from './standard.js';

/** A JSON Schema, as an object. */
export type JsonSchemaObject = Readonly<Record<string, unknown>>;

/**
 * Makes a Standard Schema of a raw JSON Schema (2020-12, 2019-09 or draft-07, by `$schema`; spec 2026-07-28
 * basic#json-schema-usage), so that it fits wherever one of Zod does. The schema goes over the wire as it is. Types are
 * read from a literal as far as `type`, `properties`, `required`, `items`, `enum` and `const` tell them. `format` is checked
 * unless `options` say that it is an annotation.
 *
 * Checking is bounded: a schema that is too large, refers to anything outside of it or has a pattern that cannot be matched in
 * linear time throws a `JsonSchemaError` here; a value that costs more than `maxSteps` is refused.
 *
 * @example
 * ```ts
 * const person = jsonSchema({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] });
 * ```
 */
export function jsonSchema<const S extends JsonSchemaObject>(
  schema: S,
  options: JsonSchemaOptions = {},
): CheckedSchema<InferJson<S>> {
  const settings = settingsOf(options, 'assertion');
  const { raw } = rawOf(schema, settings.maxBytes);
  return checkedSchema<InferJson<S>>(raw, checkerOf(raw, settings).check);
}

/** A Standard Schema of a copy that nobody else has. */
export function checkedSchema<T>(raw: RawObject, check: Checker['check']): CheckedSchema<T> {
  const told = (): Record<string, unknown> => structuredClone(raw);
  return Object.freeze({
    '~standard': Object.freeze({
      version: 1 as const,
      vendor: 'rxmcp-json-schema',
      validate: (value: unknown) => {
        const issues = check(value);
        return issues.length === 0 ? { value: value as T } : { issues };
      },
      jsonSchema: Object.freeze({ input: told, output: told }),
    }),
  });
}
