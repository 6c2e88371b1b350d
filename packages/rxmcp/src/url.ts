import { http } from '@rxmcp/http';
import { sse } from '@rxmcp/sse';
import type { HeadersSource, Transport } from '@rxmcp/transport';
import { webSocket } from '@rxmcp/websocket';
import { withFallback } from './url/fallback-transport.js';

/** Options of {@link transportFor}: those that every transport of a URL has. */
export interface TransportForOptions {
  /** Headers of every request, such as `authorization`. A function is asked anew for each attempt. @default {} */
  readonly headers?: HeadersSource;
  /** Sends the requests of `http:` and `https:`. @default globalThis.fetch */
  readonly fetch?: (url: string | URL, init: RequestInit) => Promise<Response>;
  /** Largest message that is sent, in bytes. @default 4194304 */
  readonly maxMessageBytes?: number;
  /** Lets credentials travel unencrypted to another machine. @default false */
  readonly dangerouslyAllowInsecureCredentials?: boolean;
}

/**
 * A transport to whatever serves MCP at a URL. `ws:` and `wss:` are WebSockets. `http:` and `https:` are Streamable HTTP;
 * where the server refuses the handshake, the same URL is tried as HTTP+SSE, and remembered as such.
 * Throws a TypeError for any other scheme. MCP 2025-11-25, basic, transports, backwards compatibility.
 *
 * @example
 * const remote = await client.connect(endpoint('https://example.com/mcp'));
 */
export function transportFor(url: string | URL, options: TransportForOptions = {}): Transport {
  const { protocol } = new URL(url);
  const { fetch, ...others } = options;
  switch (protocol) {
    case 'ws:':
    case 'wss:':
      return webSocket(url, others);
    case 'http:':
    case 'https:': {
      const all = fetch === undefined ? others : { ...others, fetch };
      return withFallback(http(url, all), sse(url, all));
    }
    default:
      throw new TypeError(`no transport for "${protocol}": an http, https, ws or wss URL is needed`);
  }
}
