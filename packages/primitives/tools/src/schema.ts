import type { StandardSchema } from '@rxmcp/core';
import { isStandardSchema, isThenable, copyJsonSchema, toJsonSchema } from '@rxmcp/core/internal';
import type { JsonSchema } from './types.js';

/** A schema of Zod, Valibot, ArkType or another library with the JSON Schema companion, or a JSON Schema as it is. */
export type ToolSchema = StandardSchema | JsonSchema;

/** Makes a Standard Schema of a raw JSON Schema, such as `validator()` of `@rxmcp/json-schema`; throws for one it refuses. */
export type ToolSchemaValidator = (schema: JsonSchema) => StandardSchema;

/** A schema, ready: its JSON Schema, and how a value is checked; without a check values are carried as they are. */
export interface CompiledSchema {
  readonly json: JsonSchema;
  readonly check: Check | undefined;
}

/** Prepares a schema. Throws a TypeError that begins with `where` for what cannot be told in JSON Schema. */
export function compileSchema(where: string, schema: ToolSchema, side: 'input' | 'output'): CompiledSchema {
  return isStandardSchema(schema)
    ? { json: toJsonSchema(where, schema, side) as JsonSchema, check: schema['~standard'].validate }
    : { json: copyJsonSchema(where, schema) as JsonSchema, check: undefined };
}

/** The root of arguments always is an object, and has to say so (schema 2026-07-28 Tool.inputSchema). */
export function objectRoot(where: string, json: JsonSchema): JsonSchema {
  if (json.type === 'object') return json;
  if (json.type !== undefined)
    throw new TypeError(`${where} must describe an object, not ${JSON.stringify(json.type)}`);
  return Object.freeze({ ...json, type: 'object' });
}

/** Checks a value. */
export type Check = StandardSchema['~standard']['validate'];

/** The check of a library, which may take more than JSON: what it leaves as it was has to hold as it travels too. */
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

/** The check of a raw JSON Schema, which speaks of nothing but what travels. */
export function checkSerialized(check: Check): Check {
  return (value) => check(isPlain(value) ? value : travelled(value));
}

/** The JSON of a value. Throws a TypeError for what has none. */
export function jsonOf(data: unknown): string {
  const json = JSON.stringify(data) as string | undefined;
  if (json === undefined) throw new TypeError('the `output` of a tool must be JSON');
  return json;
}

function travelled(value: unknown): unknown {
  return JSON.parse(jsonOf(value));
}

/** True for what is the same once it has travelled; members that are undefined stay at home. */
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
