import type { Annotations, Icon, JsonObject, ResourceContents } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import type { MemberChecks } from '@rxmcp/core/internal';
import { entryChecks, isObject, isString, quoted, wellTyped } from '@rxmcp/core/internal';
import { isBase64 } from './base64.js';

/** What a list tells of a resource (schema 2026-07-28 Resource). Members that this version does not know are kept. */
export interface ResourceInfo {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes, before any base64. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
  readonly [member: string]: unknown;
}

/** What a list tells of a template (schema 2026-07-28 ResourceTemplate). */
export interface TemplateInfo {
  /** RFC 6570; {@link uriTemplate} reads it back, {@link expandUriTemplate} fills in any. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Where all resources of the template have the same. */
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
  readonly [member: string]: unknown;
}

/** Checks one entry of a list from the wire; optional members of a wrong type are left out, undefined = unusable. */
export function resourceInfoOf(entry: unknown): ResourceInfo | undefined {
  return infoOf(entry, 'uri') as ResourceInfo | undefined;
}

/** The same for a template. */
export function templateInfoOf(entry: unknown): TemplateInfo | undefined {
  return infoOf(entry, 'uriTemplate') as TemplateInfo | undefined;
}

/** Checks the result of a read from the wire. Throws INVALID_RESULT. */
export function contentsFrom(uri: string, { contents }: JsonObject): readonly ResourceContents[] {
  if (!Array.isArray(contents)) throw invalid(uri, '"contents" is no array');
  contents.forEach((entry: unknown, index) => {
    const problem = problemOf(entry);
    if (problem !== undefined) throw invalid(uri, `"contents[${index}]" ${problem}`);
  });
  return contents as readonly ResourceContents[];
}

function problemOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return 'is no object';
  const { uri, text, blob, mimeType } = entry;
  if (typeof uri !== 'string') return 'has no "uri"';
  if (mimeType !== undefined && typeof mimeType !== 'string') return 'has a "mimeType" that is no string';
  if ((text === undefined) === (blob === undefined)) return 'must have one of "text" and "blob"';
  if (text !== undefined) return typeof text === 'string' ? undefined : 'has a "text" that is no string';
  return typeof blob === 'string' && isBase64(blob) ? undefined : 'has a "blob" that is no base64';
}

function infoOf(entry: unknown, key: 'uri' | 'uriTemplate'): JsonObject | undefined {
  if (!isObject(entry) || typeof entry[key] !== 'string' || typeof entry['name'] !== 'string')
    return undefined;
  return wellTyped(entry, optional);
}

const optional: MemberChecks = {
  ...entryChecks,
  mimeType: isString,
  size: (value) => Number.isInteger(value) && (value as number) >= 0,
  annotations: isObject,
};

function invalid(uri: string, problem: string): McpError {
  return new McpError('INVALID_RESULT', `resources/read ${quoted(uri)}: ${problem}`, { outcome: 'answered' });
}
