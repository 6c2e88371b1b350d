import type { JsonObject } from '@rxmcp/jsonrpc';
import { quoted } from '../base/message-text.js';
import { type SchemaIssue, type StandardSchema, formatIssues } from '../contract/standard-schema.js';

/** Whether a value is a Standard Schema. ArkType's schemas are functions. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  return typeof (schema as Partial<StandardSchema>)['~standard']?.validate === 'function';
}

/** Throws a TypeError that begins with `where` for anything but a Standard Schema. */
export function assertStandardSchema(where: string, schema: unknown): asserts schema is StandardSchema {
  rejectUnwrappedSchemas(where, schema);
  if (!isStandardSchema(schema)) throw new TypeError(`${where} is not a Standard Schema`);
}

/** Throws a TypeError that begins with `where` for an object that is not a schema but has schemas as members. */
export function rejectUnwrappedSchemas(where: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || isStandardSchema(value)) return;
  const member = Object.entries(value).find(([, inner]) => isStandardSchema(inner))?.[0];
  if (member === undefined) return;
  throw new TypeError(
    `${where}: ${quoted(member)} is a schema, but the object around it is not: wrap it in z.object(...)`,
  );
}

/** Converts a schema to JSON Schema 2020-12. Throws a TypeError that begins with `where` if that is not possible. */
export function toJsonSchema(where: string, schema: StandardSchema, side: 'input' | 'output'): JsonObject {
  const { jsonSchema, vendor } = schema['~standard'];
  if (jsonSchema === undefined) {
    throw new TypeError(
      `${where} cannot be converted to JSON Schema: "${vendor}" has no ~standard.jsonSchema. Use Zod 4.2+, ArkType, Valibot with @valibot/to-json-schema`,
    );
  }
  let text: unknown;
  try {
    text = jsonSchema[side]({ target: 'draft-2020-12' });
  } catch (cause) {
    throw new TypeError(`${where} cannot be converted to JSON Schema: ${String(cause)}`, { cause });
  }
  return copyJsonSchema(where, text);
}

/**
 * Returns a frozen copy of a JSON Schema. Throws a TypeError that begins with `where` for anything else, and if it
 * contains schema objects of a library.
 */
export function copyJsonSchema(where: string, json: unknown): JsonObject {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new TypeError(`${where} is neither a Standard Schema nor a JSON Schema`);
  }
  // A schema object of a library would be copied with its internals.
  const text = JSON.stringify(json, (_key, value: unknown) => {
    rejectUnwrappedSchemas(where, value);
    return value;
  });
  return Object.freeze(JSON.parse(text) as JsonObject);
}

/** Formats at most ten issues of a value on one line of bounded length. */
export function formatProblems(issues: readonly SchemaIssue[]): string {
  const text = formatIssues(issues.slice(0, 10)).slice(0, 2_000);
  return issues.length > 10 ? `${text}; and ${issues.length - 10} more` : text;
}
