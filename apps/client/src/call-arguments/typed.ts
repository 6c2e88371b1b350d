import { parsedJson } from '@rxmcp/app-serving/tokens';
import type { JsonObject } from 'rxmcp';
import { checkNumber, type GivenArgument, textOf } from './words.js';

/**
 * Gives arguments the types of a schema. A name that is repeated makes a list, where the schema allows one; elsewhere the last one counts. A
 * value that does not fit stays a string, which the check of the schema then names.
 */
export function typedArguments(given: readonly GivenArgument[], schema: JsonObject): JsonObject {
  const args = new Map<string, unknown>();
  const written = new Map<string, unknown[]>();
  const { properties } = schema as { readonly properties?: JsonObject };
  for (const one of given) {
    const property = objectOr(properties?.[one.name]);
    if (one.kind === 'json') {
      args.set(one.name, one.value);
      written.delete(one.name);
      continue;
    }
    const value = one.kind === 'text' ? typed(one.text, property, schema) : ofFile(one, property, schema);
    const isList = allowed(property, schema).types.has('array');
    const before = isList ? written.get(one.name) : undefined;
    written.set(one.name, [...(before ?? []), value]);
    args.set(one.name, before === undefined ? value : [...before, value].flat());
  }
  return Object.fromEntries(args);
}

function ofFile(
  { bytes, file }: Extract<GivenArgument, { kind: 'file' }>,
  property: JsonObject,
  root: JsonObject,
): unknown {
  if (property['contentEncoding'] === 'base64' || property['format'] === 'byte')
    return bytes.toString('base64');
  return typed(textOf(bytes, file), property, root);
}

function typed(text: string, property: JsonObject, root: JsonObject): unknown {
  const { types, values, items } = allowed(property, root);
  const choice = values.find((value) => (typeof value === 'string' ? value : JSON.stringify(value)) === text);
  if (choice !== undefined) return choice;
  if (types.size === 0 || types.has('string')) return text;
  const value = parsedJson(text);
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (kind === 'number' && (types.has('number') || types.has('integer'))) {
    checkNumber(text);
    return value;
  }
  if (value !== undefined && types.has(kind)) return value;
  return types.has('array') ? [typed(text, items, root)] : text;
}

interface Allowed {
  readonly types: Set<string>;
  /** Those of `enum` and `const`. */
  readonly values: unknown[];
  readonly items: JsonObject;
}

/** More schemas within schemas say nothing of a word on a command line. */
const maxDepth = 8;

/** Reads what a schema, or one within it, allows. */
export function allowed(schema: JsonObject, root: JsonObject, depth = 0): Allowed {
  const { type, enum: choices, const: only, items, $ref: ref } = schema;
  const types = new Set([type].flat().filter((one): one is string => typeof one === 'string'));
  const values: unknown[] = [
    ...(Array.isArray(choices) ? choices : []),
    ...(only === undefined ? [] : [only]),
  ];
  let of = objectOr(items);
  if (depth < maxDepth) {
    const inner = [schema['anyOf'], schema['oneOf'], schema['allOf'], referred(ref, root)].flat();
    for (const one of inner) {
      if (one === undefined) continue;
      const found = allowed(objectOr(one), root, depth + 1);
      for (const each of found.types) types.add(each);
      values.push(...found.values);
      if (Object.keys(of).length === 0) of = found.items;
    }
  }
  return { types, values, items: of };
}

function referred(ref: unknown, root: JsonObject): unknown {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = Object.hasOwn(objectOr(found), key) ? objectOr(found)[key] : undefined;
  }
  return found;
}

/** A JSON object, or an empty one. */
export function objectOr(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
