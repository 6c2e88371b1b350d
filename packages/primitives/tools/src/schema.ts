import type { StandardSchema } from '@rxmcp/core';
import { isStandardSchema, isThenable, copyJsonSchema, toJsonSchema } from '@rxmcp/core/internal';
import type { JsonSchema } from './types.js';

/**
 * A schema that {@link tool} accepts: a Standard Schema that is also a Standard JSON Schema (Zod 4.2 or newer, ArkType, Valibot with its converter, `jsonSchema(...)`
 * of `@rxmcp/json-schema`), which validates; or a raw {@link JsonSchema}, which is listed and validates only with a `validator`.
 */
export type ToolSchema = StandardSchema | JsonSchema;

/** Creates a Standard Schema, which validates, from a raw JSON Schema: `validator()` of `@rxmcp/json-schema` is one. Throws for a schema that it rejects. */
export type JsonSchemaCompiler = (schema: JsonSchema) => StandardSchema;

/** A compiled schema: its JSON Schema, and the check of values; without a check values are not validated. */
export interface CompiledSchema {
  readonly json: JsonSchema;
  readonly check: Check | undefined;
}

/** Compiles a schema. Throws a TypeError that begins with `where` for a schema that cannot be converted to JSON Schema. */
export function compileSchema(where: string, schema: ToolSchema, side: 'input' | 'output'): CompiledSchema {
  return isStandardSchema(schema)
    ? { json: toJsonSchema(where, schema, side) as JsonSchema, check: schema['~standard'].validate }
    : { json: copyJsonSchema(where, schema) as JsonSchema, check: undefined };
}

/**
 * Arguments are always an object, and their schema must say so.
 * @see Schema 2026-07-28 Tool.inputSchema
 */
export function objectRoot(where: string, json: JsonSchema): JsonSchema {
  if (json.type === 'object') return json;
  if (json.type !== undefined)
    throw new TypeError(`${where} must describe an object, not ${JSON.stringify(json.type)}`);
  return Object.freeze({ ...json, type: 'object' });
}

/** Checks a value. */
export type Check = StandardSchema['~standard']['validate'];

/** The check of a library, which may accept more than JSON: a value that it returns unchanged must also be valid as serialized. */
export function checkSerializedToo(check: Check): Check {
  return (value) => {
    const settled = (outcome: Awaited<ReturnType<Check>>): ReturnType<Check> =>
      outcome.issues === undefined && Object.is(outcome.value, value) && !isPlain(value)
        ? check(travelled(value))
        : outcome;
    const outcome = check(value);
    return isThenable(outcome) ? Promise.resolve(outcome).then(settled) : settled(outcome);
  };
}

/** The check of a raw JSON Schema, which applies to the serialized value. */
export function checkSerialized(check: Check): Check {
  return (value) => check(isPlain(value) ? value : travelled(value));
}

/** Returns the JSON of a value. Throws a TypeError for a value without JSON. */
export function jsonOf(data: unknown): string {
  const json = JSON.stringify(data) as string | undefined;
  if (json === undefined) throw new TypeError('the `output` cannot be converted to JSON');
  return json;
}

function travelled(value: unknown): unknown {
  return JSON.parse(jsonOf(value));
}

/** Whether a value is the same after serialization, apart from members that are undefined. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null)
    return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint';
  if ('toJSON' in value && typeof value.toJSON === 'function') return false;
  if (Array.isArray(value)) return Array.from(value).every((item) => item !== undefined && isPlain(item));
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) &&
    Object.values(value).every((item) => isPlain(item))
  );
}
