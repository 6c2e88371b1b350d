import type { JsonObject } from './messages.js';

/** The parameter that names the target of a request, by method. MCP 2026-07-28, basic, transports, streamable HTTP. */
export const targetParams: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** Returns the target of a request, see {@link targetParams}; `undefined` where the method has no target. */
export function targetName(method: string, params: JsonObject | undefined): string | undefined {
  const member = targetParams.get(method);
  const name = member === undefined ? undefined : params?.[member];
  return typeof name === 'string' ? name : undefined;
}

const start = '=?base64?';
const end = '?=';

/**
 * Decodes the value of an MCP header: Base64 of UTF-8 between `=?base64?` and `?=`; any other value is returned unchanged.
 * Returns `undefined` where the Base64 is invalid. MCP 2026-07-28, transports, streamable HTTP, value encoding.
 */
export function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith(start) || !value.endsWith(end) || value.length < start.length + end.length)
    return value;
  const encoded = value.slice(start.length, -end.length);
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
