import type { JsonObject } from '@rxmcp/jsonrpc';
import type { SchemaIssue, StandardSchema } from './standard-schema.js';
import { issuesText } from './standard-schema.js';

/** Tells a Standard Schema from a JSON Schema or anything else. ArkType's are functions. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  return typeof (schema as Partial<StandardSchema>)['~standard']?.validate === 'function';
}

/** A schema as JSON Schema 2020-12. Throws a TypeError that begins with `where` when it cannot be told. */
export function jsonSchemaOf(where: string, schema: StandardSchema, side: 'input' | 'output'): JsonObject {
  const { jsonSchema, vendor } = schema['~standard'];
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
  return jsonCopy(where, told);
}

/** A frozen copy of a JSON Schema. Throws a TypeError that begins with `where` for what is none. */
export function jsonCopy(where: string, json: unknown): JsonObject {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new TypeError(`${where} is neither a Standard Schema nor a JSON Schema`);
  }
  return Object.freeze(JSON.parse(JSON.stringify(json)) as JsonObject);
}

/** What is wrong with a value: at most ten things of it, on one bounded line. */
export function problems(issues: readonly SchemaIssue[]): string {
  const told = issuesText(issues.slice(0, 10)).slice(0, 2_000);
  return issues.length > 10 ? `${told}; and ${issues.length - 10} more` : told;
}
