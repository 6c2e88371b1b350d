import { META, type Message, nameOf, unwrapped } from '@rxmcp/jsonrpc';
import type { Mirror } from '../contract.js';

const parameter = 'mcp-param-';

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
  const name = nameOf(method, params);
  if (name !== undefined) mirror.name = name;
  for (const [header, value] of Object.entries(headers)) {
    const key = header.toLowerCase();
    // Our transports wrap for themselves what their place cannot hold.
    if (key.startsWith(parameter)) {
      mirror[`param.${header.slice(parameter.length)}`] = unwrapped(value) ?? value;
    }
  }
  return mirror;
}
