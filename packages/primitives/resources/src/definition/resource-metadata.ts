import type { Annotations, Icon, JsonObject } from '@rxmcp/core';
import { checkName, isMediaType, quoted, assertAnnotations, omitUndefined } from '@rxmcp/core/internal';
import { noMediaType } from './contents.js';

/** The list entry of a resource or template, without its URI. */
export interface ResourceMetadata {
  /** @default the last segment of the URI; for a template its text */
  readonly name?: string;
  /** For people. @default the name */
  readonly title?: string;
  /** For the model. */
  readonly description?: string;
  /** The media type, such as `text/plain`; also of the contents, unless they have their own. */
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  /** The `_meta` of its list entry. */
  readonly meta?: JsonObject;
}

/** Names of {@link ResourceMetadata} that users try. */
export const alikeMetadata = { _meta: 'meta', contentType: 'mimeType' };

/** Options of reading a changing value. */
export interface ReadOptions {
  /**
   * Shares one value of a function between all callers; the function then sees no caller. Otherwise each principal has its own value.
   * @default false
   */
  readonly shared?: boolean;
  /** How long a read waits for the first value of an Observable, in milliseconds; then it fails with RESOURCE_TIMEOUT. @default 10_000 */
  readonly readTimeoutMs?: number;
}

/** Makes the common members of a list entry. Throws a TypeError for an unreadable name, a bad media type and bad annotations. */
export function entryOf(
  what: string,
  where: string,
  details: ResourceMetadata,
  otherwise: string,
): JsonObject & { name: string } {
  const { name = otherwise, title, description, mimeType, annotations, icons, meta } = details;
  checkName(what, name);
  if (mimeType !== undefined && !isMediaType(mimeType)) {
    throw new TypeError(`${what} ${quoted(where)}: ${noMediaType(mimeType)}`);
  }
  assertAnnotations(`${what} ${quoted(where)}`, annotations);
  return {
    name,
    ...omitUndefined({ title, description, mimeType, annotations, icons, _meta: meta }),
  };
}

/** Returns the read timeout in milliseconds. Throws a TypeError for an invalid one. */
export function readTimeoutOf(where: string, { readTimeoutMs = 10_000 }: ReadOptions): number {
  if (readTimeoutMs > 0 && readTimeoutMs <= 2_147_483_647) return readTimeoutMs;
  throw new TypeError(
    `${quoted(where)}: "readTimeoutMs" must be between 1 and 2147483647, not ${readTimeoutMs}`,
  );
}
