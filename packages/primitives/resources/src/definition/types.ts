import { type Annotations, type Icon, type JsonObject, type ResourceContents, RxmcpError } from '@rxmcp/core';
import type { OnMembersDropped, MemberChecks } from '@rxmcp/core/internal';
import {
  entryChecks,
  isBase64,
  isMediaType,
  isObject,
  isSize,
  quoted,
  omitInvalidAnnotations,
  omitInvalidMembers,
} from '@rxmcp/core/internal';

/**
 * The list entry of a resource. Unknown members are kept.
 * @see Schema 2026-07-28 Resource
 */
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

/**
 * The list entry of a template.
 * @see Schema 2026-07-28 ResourceTemplate
 */
export interface TemplateInfo {
  /** RFC 6570; {@link uriTemplate} reads it back, {@link expandUriTemplate} fills in any. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Present if all resources of the template have the same media type. */
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
  readonly [member: string]: unknown;
}

/** Returns the callback for omitted members of the thing with this name. */
type DroppedMembersReporter = (where: string) => OnMembersDropped;

/** Checks one list entry from the wire. Omits invalid optional members; returns undefined for an unusable entry. */
export function resourceInfoOf(entry: unknown, reporter: DroppedMembersReporter): ResourceInfo | undefined {
  return infoOf(entry, 'uri', reporter) as ResourceInfo | undefined;
}

/** The same for a template. */
export function templateInfoOf(entry: unknown, reporter: DroppedMembersReporter): TemplateInfo | undefined {
  return infoOf(entry, 'uriTemplate', reporter) as TemplateInfo | undefined;
}

/** Checks the result of a read from the wire. Omits invalid media types. Throws INVALID_RESULT. */
export function contentsFrom(
  uri: string,
  { contents }: JsonObject,
  reporter: DroppedMembersReporter,
): readonly ResourceContents[] {
  if (!Array.isArray(contents)) throw invalid(uri, '"contents" is no array');
  return contents.map((entry: unknown, index) => {
    const problem = problemOf(entry);
    if (problem !== undefined) throw invalid(uri, `"contents[${index}]" ${problem}`);
    return omitInvalidMembers(entry as JsonObject, ofContents, reporter(uri)) as unknown as ResourceContents;
  });
}

function problemOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return 'is no object';
  const { uri, text, blob } = entry;
  if (typeof uri !== 'string') return 'has no "uri"';
  if ((text === undefined) === (blob === undefined)) return 'must have one of "text" and "blob"';
  if (text !== undefined) return typeof text === 'string' ? undefined : 'has a "text" that is no string';
  return typeof blob === 'string' && isBase64(blob) ? undefined : 'has a "blob" that is no base64';
}

function infoOf(
  entry: unknown,
  key: 'uri' | 'uriTemplate',
  reporter: DroppedMembersReporter,
): JsonObject | undefined {
  if (!isObject(entry) || typeof entry['name'] !== 'string') return undefined;
  const where = entry[key];
  return typeof where === 'string' ? omitInvalidAnnotations(entry, optional, reporter(where)) : undefined;
}

const optional: MemberChecks = { ...entryChecks, mimeType: isMediaType, size: isSize };
const ofContents: MemberChecks = { mimeType: isMediaType, _meta: isObject };

function invalid(uri: string, problem: string): RxmcpError {
  return new RxmcpError('INVALID_RESULT', `resources/read ${quoted(uri)}: ${problem}`, {
    outcome: 'answered',
  });
}
