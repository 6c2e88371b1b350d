import type { Mirror } from '@rxmcp/transport';
import type { HttpExchange } from './exchange.js';

const params = 'mcp-param-';
const start = '=?base64?';
const end = '?=';

/**
 * Reads what the headers of a request repeat of its body; undefined where one of them cannot be decoded.
 * MCP 2026-07-28, transports, streamable HTTP, value encoding.
 */
export function mirrorOf(exchange: HttpExchange): Mirror | undefined {
  const mirror: Record<string, string> = {};
  const version = exchange.header('mcp-protocol-version');
  if (version !== undefined) mirror.version = version;
  for (const fact of ['method', 'name']) {
    const value = exchange.header(`mcp-${fact}`);
    if (value === undefined) continue;
    const decoded = decoded64(value);
    if (decoded === undefined) return undefined;
    mirror[fact] = decoded;
  }
  for (const [param, value] of exchange.startingWith(params)) {
    const decoded = decoded64(value);
    if (decoded === undefined) return undefined;
    mirror[`param.${param}`] = decoded;
  }
  return mirror;
}

/** The text of a header value; what is not wrapped in full is meant literally. */
function decoded64(value: string): string | undefined {
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
