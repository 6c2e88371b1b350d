import type { JsonObject, ResourceContents } from '@rxmcp/core';
import { RxmcpError, RpcError } from '@rxmcp/core';
import { fromBase64, isBase64, isMediaType, isObject, quoted, toBase64 } from '@rxmcp/core/internal';
import { normalUri } from './uri/uri.js';

/** Text with what is to be said about it. */
export interface TextValue {
  readonly text: string;
  /** @default that of the resource */
  readonly mimeType?: string;
  readonly _meta?: JsonObject;
}

/** Binary data, as bytes or as base64, with what is to be said about it. */
export interface BlobValue {
  readonly blob: Uint8Array | string;
  /** @default that of the resource */
  readonly mimeType?: string;
  readonly _meta?: JsonObject;
}

/** One of several contents, such as a file of a directory; it has a uri of its own. */
export type ContentsValue = (TextValue | BlobValue) & { readonly uri: string };

/** What a resource may be: text, bytes, either with a media type of its own, or several contents, possibly none. */
export type ResourceValue = string | Uint8Array | TextValue | BlobValue | readonly ContentsValue[];

/** Brings a value into the form of the wire. Throws a TypeError that says what is wrong with it. */
export function contentsOf(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
): readonly ResourceContents[] {
  if (Array.isArray(value)) {
    return value.map((entry: unknown, index) => {
      if (!isObject(entry) || typeof entry['uri'] !== 'string') {
        throw new TypeError(`contents[${index}] of ${quoted(uri)} needs a "uri"`);
      }
      return one(entry, normalUri(entry['uri']), undefined);
    });
  }
  if (typeof value === 'string') return [one({ text: value }, uri, mimeType)];
  if (value instanceof Uint8Array) return [one({ blob: value }, uri, mimeType)];
  if (isObject(value)) return [one(value, uri, mimeType)];
  throw new TypeError(
    `the value of ${quoted(uri)} must be text, bytes, { text }, { blob } or an array of contents`,
  );
}

function one(entry: JsonObject, uri: string, otherwise: string | undefined): ResourceContents {
  const { text, blob, mimeType = otherwise, _meta } = entry;
  const about = `the contents of ${quoted(uri)}`;
  if ((text === undefined) === (blob === undefined))
    throw new TypeError(`${about} must have one of "text" and "blob"`);
  if (mimeType !== undefined && !isMediaType(mimeType))
    throw new TypeError(`${about}: ${noMediaType(mimeType)}`);
  if (_meta !== undefined && !isObject(_meta)) throw new TypeError(`${about}: "_meta" must be an object`);
  const more = { ...(mimeType === undefined ? {} : { mimeType }), ...(_meta === undefined ? {} : { _meta }) };
  if (text !== undefined) {
    if (typeof text !== 'string') throw new TypeError(`${about}: "text" must be a string`);
    return { uri, ...more, text };
  }
  if (blob instanceof Uint8Array) return { uri, ...more, blob: toBase64(blob) };
  if (typeof blob !== 'string' || !isBase64(blob))
    throw new TypeError(`${about}: "blob" must be bytes or base64`);
  return { uri, ...more, blob };
}

/** What is wrong with a media type. */
export function noMediaType(value: unknown): string {
  return `${quoted(String(value))} is no media type such as "text/plain"`;
}

/** The bytes of what was read: decoded base64, or the UTF-8 of a text. Throws INVALID_RESULT for broken base64. */
export function readBytes(contents: ResourceContents): Uint8Array {
  if (contents.text !== undefined) return new TextEncoder().encode(contents.text);
  const bytes = fromBase64(contents.blob);
  if (bytes !== undefined) return bytes;
  throw new RxmcpError('INVALID_RESULT', `the blob of ${quoted(contents.uri)} is not valid base64`, {
    outcome: 'answered',
  });
}

/** The text of what was read, whether it came as text or as UTF-8 bytes. Throws INVALID_RESULT where it is no text. */
export function readText(contents: ResourceContents): string {
  if (contents.text !== undefined) return contents.text;
  const bytes = readBytes(contents);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const message = `the blob of ${quoted(contents.uri)} is no UTF-8 text`;
    throw new RxmcpError('INVALID_RESULT', message, { outcome: 'answered', cause });
  }
}

/**
 * Whether an error says that there is no such resource: -32002 up to revision 2025-11-25, -32602 with the uri in its data
 * since (spec 2026-07-28 server/resources#error-handling).
 */
export function isResourceNotFound(error: unknown): boolean {
  if (RxmcpError.is(error, 'RESOURCE_NOT_FOUND')) return true;
  if (!RpcError.is(error)) return false;
  if (error.code === -32002) return true;
  return (
    error.code === -32602 && typeof (error.data as { uri?: unknown } | undefined | null)?.uri === 'string'
  );
}
