import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable } from 'rxjs';
import type { Implementation } from './context.js';
import type { Fault } from './faults.js';
import type { LogLevel } from './report-items.js';
import type { StandardSchema } from './standard-schema.js';
import type { Alert, Health, RemoteStats } from './stats.js';

/** What a remote is doing. `feeds` counts the open change feeds and those being reopened. */
export type RemoteStatus =
  | {
      readonly state: 'open';
      readonly version: string;
      readonly subscriptions: { readonly open: number; readonly reopening: number };
    }
  | { readonly state: 'redialing'; readonly cause: Error }
  | { readonly state: 'closed'; readonly cause?: Error };

/** One message as it passed the wire. */
export interface WireEvent {
  readonly direction: 'in' | 'out';
  readonly message: unknown;
}

/** Options of one call. */
export interface CallOptions {
  /** Longest time without a sign of life from the peer, in milliseconds; progress counts. @default 60_000 */
  readonly idleTimeoutMs?: number;
  /** Longest time in all, in milliseconds. @default 600_000 */
  readonly totalTimeoutMs?: number;
  /** Asks for logs of at least this level, where the revision does that per request. */
  readonly logLevel?: LogLevel;
  /** Further members of the request's `_meta`. */
  readonly meta?: JsonObject;
}

/** Options of a request for a method of one's own. */
export interface RequestOptions<T> extends CallOptions {
  /** Checks the result; without it the result is handed over as it came. */
  readonly schema?: StandardSchema<unknown, T>;
}

/** The other party of a connection, seen from the client. It outlives a connection by one redial. */
export interface Remote {
  readonly info: Implementation | undefined;
  readonly capabilities: JsonObject;
  /** The protocol revision being spoken. */
  readonly version: string;
  readonly instructions: string | undefined;
  /** @stream status */
  readonly status$: Observable<RemoteStatus>;
  /** @stream event, replays the last 16 */
  readonly faults$: Observable<Fault>;
  /** @stream event */
  readonly wire$: Observable<WireEvent>;
  /** What is slow or unusual, where the client has `stats`. @stream event */
  readonly alerts$: Observable<Alert>;
  /** The figures of this moment; those of calls are there where the client has `stats`. */
  stats(): RemoteStats;
  /** Whether calls can be made, and if not, why. */
  health(): Health;
  /** Calls any method. @stream call */
  request<T = JsonObject>(method: string, params?: JsonObject, options?: RequestOptions<T>): Observable<T>;
  /** Sends a notification; resolves when the carrier took it. */
  notify(method: string, params?: JsonObject): Promise<void>;
  /** Ends everything; resolves when nothing is left. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a call emits when all of it is wanted; the result comes last. */
export type CallEvent<T> =
  | {
      readonly type: 'progress';
      readonly progress: number;
      readonly total?: number;
      readonly message?: string;
    }
  | { readonly type: 'log'; readonly level: LogLevel; readonly data: unknown; readonly logger?: string }
  | { readonly type: 'result'; readonly result: T };

/** A log record with its sender's words. */
export interface LogRecord {
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
  /** How many records were lost before this one. */
  readonly lostBefore?: number;
}
