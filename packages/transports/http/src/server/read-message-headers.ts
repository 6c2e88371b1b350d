import { decodeHeaderValue } from '@rxmcp/jsonrpc/internal';
import type { MessageHeaders } from '@rxmcp/transport';
import type { HttpExchange } from '@rxmcp/transport/internal';

const params = 'mcp-param-';

/**
 * Reads what the headers of a request repeat of its body; undefined where one of them cannot be decoded.
 * MCP 2026-07-28, transports, streamable HTTP, value encoding.
 */
export function readMessageHeaders(exchange: HttpExchange): MessageHeaders | undefined {
  const headers: Record<string, string> = {};
  const version = exchange.header('mcp-protocol-version');
  if (version !== undefined) headers.version = version;
  for (const fact of ['method', 'name']) {
    const value = exchange.header(`mcp-${fact}`);
    if (value === undefined) continue;
    const decoded = decodeHeaderValue(value);
    if (decoded === undefined) return undefined;
    headers[fact] = decoded;
  }
  for (const [param, value] of exchange.startingWith(params)) {
    const decoded = decodeHeaderValue(value);
    if (decoded === undefined) return undefined;
    headers[`param.${param}`] = decoded;
  }
  return headers;
}
