import type { GuardOptions } from '@rxmcp/transport/guard';
import type { EventStore, MemoryEventStoreOptions } from './event-store.js';

/** Options of every way of serving Streamable HTTP. */
export interface HttpHandlerOptions extends GuardOptions {
  /**
   * Whether clients of the revisions with a handshake get sessions. Without them such clients are served request by
   * request: they can be asked nothing and told nothing. @default true
   */
  readonly sessions?: boolean;
  /** Sessions at a time; one more is refused, none is ever ended for it. @default 10000 */
  readonly maxSessions?: number;
  /** How long a session may be without a request and an open stream, in milliseconds. @default 1800000 */
  readonly sessionIdleTimeoutMs?: number;
  /** Largest body, and largest message sent, in bytes. @default 4194304 */
  readonly maxMessageBytes?: number;
  /**
   * Bytes of all bodies that are held at a time; beyond it requests are refused. Never less than `maxMessageBytes`.
   * @default 67108864, on Node at most an eighth of the heap
   */
  readonly maxBufferedBytes?: number;
  /** How long a request may be without an answer before its answer becomes a stream, in milliseconds. @default 10000 */
  readonly streamAfterMs?: number;
  /** How long a stream may be silent before a comment is sent, in milliseconds. @default 15000 */
  readonly keepAliveIntervalMs?: number;
  /** How long a client may read nothing of what waits for it before it is cut, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
  /**
   * What streams of sessions can be resumed from: a store, the bounds of the one in memory, or false for none.
   * @default the one in memory
   */
  readonly eventStore?: EventStore | MemoryEventStoreOptions | false;
  /**
   * Makes clients of 2025-11-25 or newer sessions poll: a stream is closed as soon as the client has what there is, and
   * the client is told to come back after so many milliseconds. Whoever comes back to nothing new waits for it, one to
   * two seconds at most. Needs `events`. @default streams stay open
   */
  readonly pollIntervalMs?: number;
  /** Whether pages of `origins` may read the answers (CORS). @default true where `origins` is given */
  readonly cors?: boolean;
}

/** Ticks of the sweep and everything else that the options settle. */
export interface HttpLimits {
  readonly maxSessions: number;
  readonly maxMessageBytes: number;
  readonly writeTimeoutMs: number;
  readonly idleTicks: number;
  readonly streamAfterTicks: number;
  readonly keepAliveTicks: number;
  readonly pollIntervalMs: number | undefined;
}

/** Present names of {@link HttpHandlerOptions} by former names. */
export const renamedHandlerOptions = {
  hosts: 'allowedHosts',
  origins: 'allowedOrigins',
  commitMs: 'streamAfterMs',
  stallMs: 'writeTimeoutMs',
  keepAliveMs: 'keepAliveIntervalMs',
  sessionIdleMs: 'sessionIdleTimeoutMs',
  pollMs: 'pollIntervalMs',
  events: 'eventStore',
};
