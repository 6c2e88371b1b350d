import type { SchemaIssue, StandardSchema } from '@rxmcp/core';
import { issuesText } from '@rxmcp/core/internal';
import type { JsonSchema } from './types.js';
import { isObject } from './types.js';

/** A schema of Zod, Valibot, ArkType or another library with the JSON Schema companion, or a JSON Schema as it is. */
export type ToolSchema = StandardSchema | JsonSchema;

/** A schema, ready: its JSON Schema, and how a value is checked; without a check values are carried as they are. */
export interface CompiledSchema {
  readonly json: JsonSchema;
  readonly check: StandardSchema['~standard']['validate'] | undefined;
}

/** Prepares a schema. Throws a TypeError that begins with `where` for what cannot be told in JSON Schema. */
export function compileSchema(where: string, schema: ToolSchema, side: 'input' | 'output'): CompiledSchema {
  if (!isStandard(schema)) {
    if (!isObject(schema)) throw new TypeError(`${where} is neither a Standard Schema nor a JSON Schema`);
    return { json: plain(where, schema), check: undefined };
  }
  const { jsonSchema, validate, vendor } = schema['~standard'];
  if (jsonSchema === undefined) {
    throw new TypeError(
      `${where} cannot be told in JSON Schema: this schema of "${vendor}" has no ~standard.jsonSchema`,
    );
  }
  let told: unknown;
  try {
    told = jsonSchema[side]({ target: 'draft-2020-12' });
  } catch (cause) {
    throw new TypeError(`${where} cannot be told in JSON Schema: ${String(cause)}`, { cause });
  }
  return { json: plain(where, told), check: validate };
}

/** The root of arguments always is an object, and has to say so (schema 2026-07-28 Tool.inputSchema). */
export function objectRoot(where: string, json: JsonSchema): JsonSchema {
  if (json.type === 'object') return json;
  if (json.type !== undefined)
    throw new TypeError(`${where} must describe an object, not ${JSON.stringify(json.type)}`);
  return Object.freeze({ ...json, type: 'object' });
}

/** What is wrong with a value, at most ten things of it. */
export function problems(issues: readonly SchemaIssue[]): string {
  const told = issuesText(issues.slice(0, 10)).slice(0, 2_000);
  return issues.length > 10 ? `${told}; and ${issues.length - 10} more` : told;
}

function isStandard(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  return typeof (schema as Partial<StandardSchema>)['~standard']?.validate === 'function';
}

function plain(where: string, json: unknown): JsonSchema {
  if (!isObject(json)) throw new TypeError(`${where} gives no JSON Schema object`);
  return Object.freeze(JSON.parse(JSON.stringify(json)) as JsonSchema);
}
