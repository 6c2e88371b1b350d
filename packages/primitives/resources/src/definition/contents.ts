import { type JsonObject, type ResourceContents, RxmcpError, RpcError } from '@rxmcp/core';
import { fromBase64, isBase64, isMediaType, isObject, quoted, toBase64 } from '@rxmcp/core/internal';
import { normalUri } from '../uri/uri.js';

/** Text with its media type and metadata. */
export interface TextValue {
  readonly text: string;
  /** @default the media type of the resource */
  readonly mimeType?: string;
  readonly _meta?: JsonObject;
}

/** Binary data, as bytes or base64, with its media type and metadata. */
export interface BlobValue {
  readonly blob: Uint8Array | string;
  /** @default the media type of the resource */
  readonly mimeType?: string;
  readonly _meta?: JsonObject;
}

/** One of several contents with its own URI, such as a file of a directory. */
export type ContentsValue = (TextValue | BlobValue) & { readonly uri: string };

/** The value of a resource: text, bytes, either with its own media type, or an array of contents, which may be empty. */
export type ResourceValue = string | Uint8Array | TextValue | BlobValue | readonly ContentsValue[];

/** Converts a value to its wire format. Throws a TypeError that names what is invalid. */
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
  const hint = value === undefined ? '. After => { a function needs "return"' : '';
  throw new TypeError(
    `the value of ${quoted(uri)} must be text, bytes, { text }, { blob } or an array of contents${hint}`,
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

/** The problem of an invalid media type. */
export function noMediaType(value: unknown): string {
  return `${quoted(String(value))} is not a media type such as "text/plain"`;
}

/**
 * Returns the bytes of contents: decoded base64, or text as UTF-8.
 * @throws RxmcpError `INVALID_RESULT` for invalid base64
 */
export function readBytes(contents: ResourceContents): Uint8Array {
  if (contents.text !== undefined) return new TextEncoder().encode(contents.text);
  const bytes = fromBase64(contents.blob);
  if (bytes !== undefined) return bytes;
  throw new RxmcpError('INVALID_RESULT', `the blob of ${quoted(contents.uri)} is not valid base64`, {
    outcome: 'answered',
  });
}

/**
 * Returns the text of contents, sent as text or as UTF-8 bytes.
 * @throws RxmcpError `INVALID_RESULT` for bytes that are not UTF-8
 */
export function readText(contents: ResourceContents): string {
  if (contents.text !== undefined) return contents.text;
  const bytes = readBytes(contents);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const message = `the blob of ${quoted(contents.uri)} is not UTF-8 text`;
    throw new RxmcpError('INVALID_RESULT', message, { outcome: 'answered', cause });
  }
}

/**
 * Returns whether an error means that a resource does not exist: -32002 up to revision 2025-11-25, later -32602 with the URI
 * in its data.
 * @see Spec 2026-07-28 server/resources#error-handling
 */
export function isResourceNotFound(error: unknown): boolean {
  if (RxmcpError.is(error, 'RESOURCE_NOT_FOUND')) return true;
  if (!RpcError.is(error)) return false;
  if (error.code === -32002) return true;
  return (
    error.code === -32602 && typeof (error.data as { uri?: unknown } | undefined | null)?.uri === 'string'
  );
}
