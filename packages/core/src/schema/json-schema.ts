import type { JsonObject } from '@rxmcp/jsonrpc';
import { quoted } from '../base/message-text.js';
import type { SchemaIssue, StandardSchema } from '../contract/standard-schema.js';
import { formatIssues } from '../contract/standard-schema.js';

/** Tells a Standard Schema from a JSON Schema or anything else. ArkType's are functions. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  return typeof (schema as Partial<StandardSchema>)['~standard']?.validate === 'function';
}

/** Throws a TypeError that begins with `where` for anything but a Standard Schema. */
export function assertStandardSchema(where: string, schema: unknown): asserts schema is StandardSchema {
  rejectUnwrappedSchemas(where, schema);
  if (!isStandardSchema(schema)) throw new TypeError(`${where} is not a Standard Schema`);
}

/** Throws a TypeError that begins with `where` for an object whose members are schemas while it is none itself. */
export function rejectUnwrappedSchemas(where: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || isStandardSchema(value)) return;
  const member = Object.entries(value).find(([, inner]) => isStandardSchema(inner))?.[0];
  if (member === undefined) return;
  throw new TypeError(
    `${where}: ${quoted(member)} is a schema, but the object around it is not: wrap it in z.object(...)`,
  );
}

/** A schema as JSON Schema 2020-12. Throws a TypeError that begins with `where` when it cannot be told. */
export function toJsonSchema(where: string, schema: StandardSchema, side: 'input' | 'output'): JsonObject {
  const { jsonSchema, vendor } = schema['~standard'];
  if (jsonSchema === undefined) {
    throw new TypeError(
      `${where} cannot be converted to JSON Schema: "${vendor}" has no ~standard.jsonSchema. Zod 4, ArkType and Valibot with @valibot/to-json-schema have it`,
    );
  }
  let told: unknown;
  try {
    told = jsonSchema[side]({ target: 'draft-2020-12' });
  } catch (cause) {
    throw new TypeError(`${where} cannot be converted to JSON Schema: ${String(cause)}`, { cause });
  }
  return copyJsonSchema(where, told);
}

/** A frozen copy of a JSON Schema. Throws a TypeError that begins with `where` for what is none, or has schemas inside. */
export function copyJsonSchema(where: string, json: unknown): JsonObject {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new TypeError(`${where} is neither a Standard Schema nor a JSON Schema`);
  }
  // A schema of a library would be copied as what happens to be inside of it.
  const text = JSON.stringify(json, (_key, value: unknown) => {
    rejectUnwrappedSchemas(where, value);
    return value;
  });
  return Object.freeze(JSON.parse(text) as JsonObject);
}

/** What is wrong with a value: at most ten things of it, on one bounded line. */
export function formatProblems(issues: readonly SchemaIssue[]): string {
  const told = formatIssues(issues.slice(0, 10)).slice(0, 2_000);
  return issues.length > 10 ? `${told}; and ${issues.length - 10} more` : told;
}
