import type { JsonObject } from './messages.js';

/** The parameter by which these requests name what they are about. MCP 2026-07-28, basic, transports, streamable HTTP. */
export const targetParams: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** What a request names, see {@link targetParams}; undefined where it names nothing. */
export function targetName(method: string, params: JsonObject | undefined): string | undefined {
  const member = targetParams.get(method);
  const name = member === undefined ? undefined : params?.[member];
  return typeof name === 'string' ? name : undefined;
}

const start = '=?base64?';
const end = '?=';

/**
 * The text that a value beside a request stands for: Base64 of its UTF-8 between `=?base64?` and `?=`, anything else itself.
 * Undefined where what is wrapped cannot be decoded. MCP 2026-07-28, transports, streamable HTTP, value encoding.
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
