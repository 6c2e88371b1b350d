import { http } from '@rxmcp/http';
import { sse } from '@rxmcp/sse';
import type { Authorizer, HeadersSource, Transport } from '@rxmcp/transport';
import { webSocket } from '@rxmcp/websocket';
import { withFallback } from './url/fallback-transport.js';

/** Options of {@link transportFor}: those that every transport of a URL has. */
export interface TransportForOptions {
  /** Headers of every request, such as `authorization`. A function is asked anew for each attempt. @default {} */
  readonly headers?: HeadersSource;
  /** Signs in and adds tokens: `oauth(...)` of `@rxmcp/auth`. Its headers take precedence over `headers`. @default none */
  readonly auth?: Authorizer;
  /** Sends the requests of `http:` and `https:`. @default node:http in Node, otherwise globalThis.fetch */
  readonly fetch?: (url: string | URL, init: RequestInit) => Promise<Response>;
  /** Largest message that is sent, in bytes. @default 4194304 */
  readonly maxMessageBytes?: number;
  /** Allows credentials over an unencrypted connection to another machine. @default false */
  readonly dangerouslyAllowInsecureCredentials?: boolean;
}

/**
 * Returns the transport for the URL of an MCP server: WebSocket for `ws:` and `wss:`, Streamable HTTP for `http:` and `https:`.
 * If the server rejects the handshake of Streamable HTTP, the transport tries HTTP+SSE, and starts with it from then on.
 * @throws TypeError for any other scheme
 * @see Spec 2025-11-25 basic/transports#backwards-compatibility
 *
 * @example
 * const remote = await client.connect(transportFor('https://example.com/mcp'));
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
      throw new TypeError(`no transport for "${protocol}": use an http, https, ws or wss URL`);
  }
}
