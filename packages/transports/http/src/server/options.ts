import type { GuardOptions } from '@rxmcp/transport/guard';
import { alikeServerOptions, knownGuardOptions } from '@rxmcp/transport/internal';
import type { EventStore, MemoryEventStoreOptions } from './streams/event-store.js';

/** The options that `serveHttp`, `httpHandler` and `fetchHandler` share. */
export interface HttpHandlerOptions extends GuardOptions {
  /**
   * Whether clients of the legacy era get sessions. Without a session each request is served separately: the server can send such
   * clients neither requests nor notifications. @default true
   */
  readonly sessions?: boolean;
  /**
   * How many sessions may be open; one principal, or one address of anonymous callers, may have half of them. A further one replaces the
   * longest idle session of a caller that has more sessions than this one; without such a caller it is rejected with 503. Behind a
   * bridge, as many principals may have a connection, and a further one replaces the longest idle. @default 10000
   */
  readonly maxSessions?: number;
  /**
   * How long a session may have neither a request nor an open stream before it ends, in milliseconds. A connection
   * of requests without a session ends after the same time without a request. @default 1800000
   */
  readonly sessionIdleTimeoutMs?: number;
  /** Largest body, and largest message sent, in bytes. @default 4194304 */
  readonly maxMessageBytes?: number;
  /**
   * How many bytes of all bodies are held at the same time; over it, requests are rejected with 503. Never less than
   * `maxMessageBytes`.
   * @default 67108864, on Node at most an eighth of the heap
   */
  readonly maxBufferedBytes?: number;
  /** How long a request may have no response before its response becomes a stream, in milliseconds. @default 10000 */
  readonly streamAfterMs?: number;
  /** How long a stream may be silent before a comment is sent, in milliseconds. @default 15000 */
  readonly keepAliveIntervalMs?: number;
  /** How long a client may read nothing of what waits for it before its connection is destroyed, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
  /**
   * The store from which streams of sessions can be resumed: a store, the limits of the store in memory, or `false` for none.
   * @default the store in memory
   */
  readonly eventStore?: EventStore | MemoryEventStoreOptions | false;
  /**
   * Makes clients poll in sessions of 2025-11-25 or newer: a stream closes as soon as the client has all events, and asks the client
   * to reconnect after so many milliseconds. A client that reconnects waits one to two seconds for new events. Requires
   * `eventStore`. @default streams stay open
   */
  readonly pollIntervalMs?: number;
  /** Whether pages of `allowedOrigins` may read the responses (CORS). @default true where `allowedOrigins` is given */
  readonly cors?: boolean;
}

/** The names of {@link HttpHandlerOptions}. */
export const knownHandlerOptions: Record<keyof HttpHandlerOptions, true> = {
  ...knownGuardOptions,
  sessions: true,
  maxSessions: true,
  sessionIdleTimeoutMs: true,
  maxMessageBytes: true,
  maxBufferedBytes: true,
  streamAfterMs: true,
  keepAliveIntervalMs: true,
  writeTimeoutMs: true,
  eventStore: true,
  pollIntervalMs: true,
  cors: true,
};

/** The limits that result from the options; times in ticks of the sweep. */
export interface HttpLimits {
  readonly maxSessions: number;
  readonly maxMessageBytes: number;
  readonly writeTimeoutMs: number;
  readonly idleTicks: number;
  readonly streamAfterTicks: number;
  readonly keepAliveTicks: number;
  readonly pollIntervalMs: number | undefined;
}

/** Names of {@link HttpHandlerOptions} that users try. */
export const alikeHandlerOptions = {
  ...alikeServerOptions,
  sessionIdGenerator: 'sessions',
  stateless: 'sessions',
  enableJsonResponse: 'streamAfterMs',
  enableDnsRebindingProtection: 'allowedHosts',
  commitMs: 'streamAfterMs',
};
