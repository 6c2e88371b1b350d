import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import { quoted, describeValue } from '../base/message-text.js';
import type { HeaderParam } from '../contract/offer.js';

/** Returns the value at a path of own members, or undefined. */
export function valueAtPath(params: JsonObject, path: readonly string[]): unknown {
  let value: unknown = params;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

/**
 * Returns a value as header text. Undefined for null, objects and numbers that are not safe integers, which are not
 * sent as headers.
 */
export function headerParamText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  return undefined;
}

const headerKeyword = 'x-mcp-header';

/**
 * Returns the arguments that are also sent as headers, as the `x-mcp-header` keywords of a tool's input schema say.
 * Returns a text that explains the problem if a keyword is invalid.
 * @see Spec 2026-07-28 basic/transports/streamable-http#schema-extension
 */
export function findHeaderParams(schema: unknown): readonly HeaderParam[] | string {
  const found: HeaderParam[] = [];
  const problems: string[] = [];
  walk(schema, ['arguments'], found, problems);
  return problems[0] ?? found;
}

/** The path of a property in an instance; undefined if there is no fixed path. */
type Path = readonly string[] | undefined;

function walk(schema: unknown, path: Path, found: HeaderParam[], problems: string[]): void {
  if (!isObject(schema) || problems.length > 0) return;
  if (Object.hasOwn(schema, headerKeyword)) {
    const problem = take(schema, path, found);
    if (problem !== undefined) problems.push(problem);
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (maps.has(keyword)) {
      if (!isObject(value)) continue;
      for (const [key, one] of Object.entries(value))
        walk(
          one,
          keyword === 'properties' && path !== undefined ? [...path, key] : undefined,
          found,
          problems,
        );
    } else if (schemas.has(keyword)) for (const one of [value].flat()) walk(one, undefined, found, problems);
  }
}

function take(
  schema: Readonly<Record<string, unknown>>,
  path: Path,
  found: HeaderParam[],
): string | undefined {
  const name = schema[headerKeyword];
  if (typeof name !== 'string' || !token.test(name))
    return `"${headerKeyword}" is ${describeValue(name)}, which is not a header name`;
  const where = `"${headerKeyword}" ${quoted(name)}`;
  if (path === undefined || path.length < 2)
    return `${where} is not on a property that is reached through "properties" only`;
  if (Object.hasOwn(schema, '$ref')) return `${where} is next to a "$ref"`;
  const types = [schema.type].flat().filter((type) => type !== 'null');
  if (types.length === 0 || !types.every((type) => primitives.has(type)))
    return `${where} is on something that is not a string, an integer or a boolean`;
  if (found.length >= maxHeaderParams) return `${where} is one of more than ${maxHeaderParams}`;
  const header = name.toLowerCase();
  if (found.some((other) => other.header === header)) return `${where} is used twice`;
  found.push({ header, path });
  return undefined;
}

/** The most arguments of a tool that are sent as headers: HTTP servers take few more, and each is compared with all before it. */
const maxHeaderParams = 128;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const primitives: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

// Keywords whose value is a schema or contains schemas. Elsewhere the keyword `x-mcp-header` is data.
const maps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);
const schemas: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'contentSchema',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
]);
