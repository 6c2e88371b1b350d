import type { StandardSchema } from '@rxmcp/core';
import { isStandardSchema, jsonCopy, jsonSchemaOf } from '@rxmcp/core/internal';
import type { Check } from './travels.js';
import type { JsonSchema } from './types.js';

/** A schema of Zod, Valibot, ArkType or another library with the JSON Schema companion, or a JSON Schema as it is. */
export type ToolSchema = StandardSchema | JsonSchema;

/** Makes a Standard Schema of a raw JSON Schema, such as `validator()` of `@rxmcp/json-schema`; throws for one it refuses. */
export type ToolSchemas = (schema: JsonSchema) => StandardSchema;

/** A schema, ready: its JSON Schema, and how a value is checked; without a check values are carried as they are. */
export interface CompiledSchema {
  readonly json: JsonSchema;
  readonly check: Check | undefined;
}

/** Prepares a schema. Throws a TypeError that begins with `where` for what cannot be told in JSON Schema. */
export function compileSchema(where: string, schema: ToolSchema, side: 'input' | 'output'): CompiledSchema {
  return isStandardSchema(schema)
    ? { json: jsonSchemaOf(where, schema, side) as JsonSchema, check: schema['~standard'].validate }
    : { json: jsonCopy(where, schema) as JsonSchema, check: undefined };
}

/** The root of arguments always is an object, and has to say so (schema 2026-07-28 Tool.inputSchema). */
export function objectRoot(where: string, json: JsonSchema): JsonSchema {
  if (json.type === 'object') return json;
  if (json.type !== undefined)
    throw new TypeError(`${where} must describe an object, not ${JSON.stringify(json.type)}`);
  return Object.freeze({ ...json, type: 'object' });
}
