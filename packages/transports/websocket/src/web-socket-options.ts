import type { HeadersSource } from '@rxmcp/transport';

/** Options of `webSocket`. */
export interface WebSocketOptions {
  /** Sent with the handshake. In browsers there are none: cookies go along by themselves. @default {} */
  readonly headers?: HeadersSource;
  /** Certificates to trust, as PEM, in the place of those that Node knows. Not in browsers. @default those of Node */
  readonly ca?: string | readonly string[];
  /** Largest message in either direction, in bytes. @default 4194304 */
  readonly maxMessageBytes?: number;
  /** How long a dial may take, in milliseconds. @default 10000 */
  readonly connectTimeoutMs?: number;
  /** How long a server that reads nothing is waited for, in milliseconds, before `STALLED`. @default 30000 */
  readonly writeTimeoutMs?: number;
  /** How often the server is pinged, in milliseconds; two pings after which nothing came are a loss. Not in browsers. @default 15000 */
  readonly heartbeatIntervalMs?: number;
  /** Lets headers that hold credentials go over `ws:` to other machines, where anybody on the way reads them. @default false */
  readonly dangerouslyAllowInsecureCredentials?: boolean;
}

/** What both sides hold to unless told otherwise. */
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

/** After this `ws` cuts a socket that is closing; here it is given up sooner. */
export const closeTimeoutMs = 5_000;
