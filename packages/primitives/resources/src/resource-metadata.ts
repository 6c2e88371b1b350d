import type { Annotations, Icon, JsonObject } from '@rxmcp/core';
import { checkName, isMediaType, quoted, assertAnnotations } from '@rxmcp/core/internal';
import { noMediaType } from './contents.js';

/** The list entry of a resource or template, without its URI. */
export interface ResourceMetadata {
  /** @default the last segment of the uri; for a template its text */
  readonly name?: string;
  /** For people. @default the name */
  readonly title?: string;
  /** For the model. */
  readonly description?: string;
  /** Such as `text/plain`; also that of the contents, unless they say otherwise. */
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  /** The `_meta` of its list entry. */
  readonly meta?: JsonObject;
}

/** How a changing value is read. */
export interface ReadOptions {
  /**
   * Gives all callers the one value of a function, which then sees no caller; else every principal has its own.
   * @default false
   */
  readonly shared?: boolean;
  /** How long a read waits for the first value of an Observable, in milliseconds; then RESOURCE_TIMEOUT. @default 10_000 */
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
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

/** The read timeout. Throws a TypeError for what is no duration. */
export function readTimeoutOf(where: string, { readTimeoutMs = 10_000 }: ReadOptions): number {
  if (readTimeoutMs > 0 && readTimeoutMs <= 2_147_483_647) return readTimeoutMs;
  throw new TypeError(
    `${quoted(where)}: "readTimeoutMs" must be between 1 and 2147483647, not ${readTimeoutMs}`,
  );
}
