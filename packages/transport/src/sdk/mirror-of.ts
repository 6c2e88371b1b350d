import { META, type Message } from '@rxmcp/jsonrpc';
import type { Mirror } from '../contract.js';

/** Which parameter says what a request is about. */
const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);
const parameter = 'mcp-param-';
const wrapped = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/**
 * What travels beside a request of the modern era, read off its body as the transports of the SDKs do it; undefined for
 * anything else. `headers` are those that an SDK gives along for single parameters. MCP 2026-07-28, basic, transports,
 * streamable HTTP, request metadata.
 */
export function mirrorOf(
  message: Message,
  headers: Readonly<Record<string, string>> = {},
): Mirror | undefined {
  if (!('method' in message) || !('id' in message)) return undefined;
  const { method, params } = message;
  const version = (params?._meta as Record<string, unknown> | undefined)?.[META.protocolVersion];
  if (typeof version !== 'string') return undefined;
  const mirror: Record<string, string> = { version, method };
  const name = params?.[namedBy.get(method) ?? ''];
  if (typeof name === 'string') mirror.name = name;
  for (const [header, value] of Object.entries(headers)) {
    const key = header.toLowerCase();
    if (key.startsWith(parameter)) mirror[`param.${header.slice(parameter.length)}`] = unwrapped(value);
  }
  return mirror;
}

/** Our transports wrap for themselves what their place cannot hold. */
function unwrapped(value: string): string {
  const encoded = wrapped.exec(value)?.[1];
  if (encoded === undefined) return value;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return value;
  }
}
