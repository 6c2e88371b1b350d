import type { Authorizer, HeadersSource } from '@rxmcp/transport';

/** Options of `webSocket`. */
export interface WebSocketOptions {
  /** Headers of the handshake. Not in browsers, which send cookies automatically. @default {} */
  readonly headers?: HeadersSource;
  /**
   * Signs in and adds tokens to the handshake: `oauth(...)` of `@rxmcp/auth`. In browsers, which send no headers, a one-time ticket of the
   * server stands for the token. @default none
   */
  readonly auth?: Authorizer;
  /** Certificates to trust, as PEM, instead of those of Node. Not in browsers. @default those of Node */
  readonly ca?: string | readonly string[];
  /** Largest message in either direction, in bytes. @default 4194304 */
  readonly maxMessageBytes?: number;
  /** How long a dial may take, in milliseconds. @default 10000 */
  readonly connectTimeoutMs?: number;
  /** How long to wait for the server to read before the connection ends with `STALLED`, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
  /** How often the server is pinged, in milliseconds. Two pings without any message or pong are a loss. Not in browsers. @default 15000 */
  readonly heartbeatIntervalMs?: number;
  /** Whether credentials may be sent over `ws:` to another machine, where the network can read them. @default false */
  readonly dangerouslyAllowInsecureCredentials?: boolean;
}

/** The defaults of both sides. */
export const defaults = {
  maxMessageBytes: 4 * 1024 * 1024,
  writeTimeoutMs: 30_000,
  heartbeatIntervalMs: 15_000,
  firstMessageTimeoutMs: 10_000,
  connectTimeoutMs: 10_000,
  maxConnections: 10_000,
} as const;

/** The subprotocol that both sides name in the handshake. */
export const subprotocol = 'mcp';

/** After this time, in milliseconds, `ws` destroys a closing socket. Our own limits are shorter. */
export const closeTimeoutMs = 5_000;
