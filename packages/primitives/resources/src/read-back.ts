import type { ResourceContents } from '@rxmcp/core';
import { McpError, RpcError } from '@rxmcp/core';
import { fromBase64, quoted } from '@rxmcp/core/internal';

/** The bytes of what was read: decoded base64, or the UTF-8 of a text. Throws INVALID_RESULT for broken base64. */
export function bytesOf(contents: ResourceContents): Uint8Array {
  if (contents.text !== undefined) return new TextEncoder().encode(contents.text);
  const bytes = fromBase64(contents.blob);
  if (bytes !== undefined) return bytes;
  throw new McpError('INVALID_RESULT', `the blob of ${quoted(contents.uri)} is no base64`, {
    outcome: 'answered',
  });
}

/** The text of what was read, whether it came as text or as UTF-8 bytes. Throws INVALID_RESULT where it is no text. */
export function textOf(contents: ResourceContents): string {
  if (contents.text !== undefined) return contents.text;
  const bytes = bytesOf(contents);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const message = `the blob of ${quoted(contents.uri)} is no UTF-8 text`;
    throw new McpError('INVALID_RESULT', message, { outcome: 'answered', cause });
  }
}

/**
 * Whether an error says that there is no such resource: -32002 up to revision 2025-11-25, -32602 with the uri in its data
 * since (spec 2026-07-28 server/resources#error-handling).
 */
export function isMissing(error: unknown): boolean {
  if (McpError.is(error, 'RESOURCE_MISSING')) return true;
  if (!RpcError.is(error)) return false;
  if (error.code === -32002) return true;
  return (
    error.code === -32602 && typeof (error.data as { uri?: unknown } | undefined | null)?.uri === 'string'
  );
}
