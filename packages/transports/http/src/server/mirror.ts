import { unwrapped } from '@rxmcp/jsonrpc';
import type { Mirror } from '@rxmcp/transport';
import type { HttpExchange } from '@rxmcp/transport/guard';

const params = 'mcp-param-';

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
    const decoded = unwrapped(value);
    if (decoded === undefined) return undefined;
    mirror[fact] = decoded;
  }
  for (const [param, value] of exchange.startingWith(params)) {
    const decoded = unwrapped(value);
    if (decoded === undefined) return undefined;
    mirror[`param.${param}`] = decoded;
  }
  return mirror;
}
