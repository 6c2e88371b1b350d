import { type Checker, checkerOf } from '../compile/compile.js';
import { type JsonSchemaOptions, settingsOf } from '../schema/options.js';
import { type RawObject, rawOf } from '../schema/raw-schema.js';
import type { ValidationIssue } from '../compile/validation-run.js';

/** A JSON Schema, as an object. */
export type JsonSchemaObject = Readonly<Record<string, unknown>>;

/**
 * Makes a Standard Schema of a raw JSON Schema (2020-12, 2019-09 or draft-07, by `$schema`), so that it fits wherever a Zod
 * schema does. The schema is sent unchanged. TypeScript types are inferred from a literal by `type`, `properties`, `required`,
 * `items`, `enum` and `const`. `format` is checked unless `options` make it an annotation.
 *
 * Checking is bounded: a schema that is too large, refers to anything outside of it or has a pattern that cannot be matched in
 * linear time throws a `JsonSchemaError` here. A value that needs more than `maxSteps` is rejected.
 * @see Spec 2026-07-28 basic#json-schema-usage
 *
 * @example
 * ```ts
 * const person = jsonSchema({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] });
 * ```
 */
export function jsonSchema<const S extends JsonSchemaObject>(
  schema: S,
  options: JsonSchemaOptions = {},
): StandardJsonSchema<InferJsonSchema<S>> {
  const settings = settingsOf(options, 'assertion');
  const { raw } = rawOf(schema, settings.maxSchemaBytes);
  return checkedSchema<InferJsonSchema<S>>(raw, checkerOf(raw, settings).check);
}

/** Makes a Standard Schema. `raw` must be a private copy. */
export function checkedSchema<T>(raw: RawObject, check: Checker['check']): StandardJsonSchema<T> {
  const copy = (): Record<string, unknown> => structuredClone(raw);
  return Object.freeze({
    '~standard': Object.freeze({
      version: 1 as const,
      vendor: 'rxmcp-json-schema',
      validate: (value: unknown) => {
        const issues = check(value);
        return issues.length === 0 ? { value: value as T } : { issues };
      },
      jsonSchema: Object.freeze({ input: copy, output: copy }),
    }),
  });
}

/** A Standard Schema that is also a Standard JSON Schema (standardschema.dev). */
export interface StandardJsonSchema<T = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** Returns the unchanged value, or at most ten issues; never a promise. */
    readonly validate: (value: unknown) => ValidationResult<T>;
    readonly types?: { readonly input: T; readonly output: T } | undefined;
    /** Returns the original schema, in its own dialect. */
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

/** The valid value, or its issues. */
export type ValidationResult<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly ValidationIssue[] };

/** The type that a JSON Schema literal describes; `unknown` if it describes none. */
export type InferJsonSchema<S> = S extends { readonly const: infer C }
  ? Plain<C>
  : S extends { readonly enum: readonly (infer E)[] }
    ? Plain<E>
    : S extends { readonly type: infer T }
      ? OfType<S, T extends readonly (infer N)[] ? N : T>
      : unknown;

type OfType<S, T> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { readonly prefixItems: unknown }
            ? readonly unknown[]
            : S extends { readonly items: infer I }
              ? readonly InferJsonSchema<I>[]
              : readonly unknown[]
          : T extends 'object'
            ? OfObject<S>
            : unknown;

type OfObject<S> = S extends { readonly properties: infer P }
  ? string extends keyof P
    ? Readonly<Record<string, unknown>>
    : Flat<
        { readonly [K in keyof P as K extends Required<S> ? K : never]: InferJsonSchema<P[K]> } & {
          readonly [K in keyof P as K extends Required<S> ? never : K]?: InferJsonSchema<P[K]>;
        }
      >
  : Readonly<Record<string, unknown>>;

// For a `required` that is not a literal, the required names are unknown.
type Required<S> = S extends { readonly required: infer R extends readonly unknown[] }
  ? number extends R['length']
    ? never
    : string extends R[number]
      ? never
      : R[number]
  : never;
type Flat<T> = { readonly [K in keyof T]: T[K] };
type Plain<T> = T extends object ? unknown : T;
