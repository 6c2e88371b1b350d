import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable } from 'rxjs';
import type { Implementation } from './context.js';
import type { Fault } from './faults.js';
import type { LogLevel } from './report-items.js';
import type { StandardSchema } from './standard-schema.js';
import type { Alert, Health, RemoteStats } from './stats.js';

/**
 * The state of a remote. `subscriptions` counts the lists and resources whose changes the server reports, and those that are
 * subscribed again.
 */
export type RemoteStatus =
  | {
      readonly state: 'open';
      readonly version: string;
      readonly subscriptions: { readonly open: number; readonly reopening: number };
    }
  | { readonly state: 'reconnecting'; readonly cause: Error }
  | { readonly state: 'closed'; readonly cause?: Error };

/** One message that was sent or received. */
export interface WireEvent {
  readonly direction: 'in' | 'out';
  readonly message: unknown;
}

/**
 * A call, which is lazy: `subscribe` sends the request, and so does `await`, each time anew. Awaiting gives the
 * result. Unsubscribing, or aborting the `signal` of its options, cancels the request. @stream call
 */
export interface Call<T> extends Observable<T>, PromiseLike<T> {
  // As that of Promise.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  catch<B = never>(onRejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<T | B>;
  finally(onFinally?: (() => void) | null): Promise<T>;
}

/** A call that emits its progress and logs, then the result. Awaiting gives the result. @stream call */
export interface CallWithEvents<T> extends Observable<CallEvent<T>>, PromiseLike<T> {
  // As that of Promise.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  catch<B = never>(onRejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<T | B>;
  finally(onFinally?: (() => void) | null): Promise<T>;
}

/** Configures one call. */
export interface CallOptions {
  /**
   * Longest time without progress, in milliseconds. Log records do not restart it.
   * @default 60_000, unless `defineClient` has another
   */
  readonly idleTimeoutMs?: number;
  /**
   * Longest time of the whole call, without the time in which this side answers asks, in milliseconds.
   * @default 600_000, unless `defineClient` has another
   */
  readonly totalTimeoutMs?: number;
  /** Aborting it cancels the call, which then fails with the reason of the signal. @default none */
  readonly signal?: AbortSignal;
  /** Requests log records of at least this level for this call, if the revision supports it. */
  readonly logLevel?: LogLevel;
  /** Additional members for the `_meta` of the request. */
  readonly meta?: JsonObject;
}

/** Configures a request for a custom method. */
export interface RequestOptions<T> extends CallOptions {
  /** Validates the result. Without a schema the result is returned as received. */
  readonly schema?: StandardSchema<unknown, T> | undefined;
}

/**
 * The other party of a connection, as the client uses it. After each loss it tries once to connect again, for at most 10 s, if its
 * transport can. It closes if that fails, and at the next loss after five new connections in a row that each lived less than 30 s.
 */
export interface Remote {
  readonly info: Implementation | undefined;
  readonly capabilities: JsonObject;
  /** The negotiated protocol revision. */
  readonly version: string;
  readonly instructions: string | undefined;
  /** Emits the state of the remote. @stream status */
  readonly status$: Observable<RemoteStatus>;
  /** Emits what went wrong and ended nothing. @stream event, replays the last 16 */
  readonly faults$: Observable<Fault>;
  /** Emits each message that is sent or received. @stream event */
  readonly wire$: Observable<WireEvent>;
  /** Emits slow calls and unusual rates, if the client has `stats`. @stream event */
  readonly alerts$: Observable<Alert>;
  /** Returns the current statistics. Those of calls need `stats` in the options of the client. */
  stats(): RemoteStats;
  /** Returns whether calls can be made, and if not, why. */
  health(): Health;
  /** Calls any method. @stream call */
  request(
    method: string,
    params?: JsonObject,
    options?: CallOptions & { readonly schema?: undefined },
  ): Call<JsonObject>;
  /** Calls any method whose result has this type, which `schema` checks. @stream call */
  request<T>(method: string, params?: JsonObject, options?: RequestOptions<T>): Call<T>;
  /** Sends a notification. Resolves when the transport has accepted it. */
  notify(method: string, params?: JsonObject): Promise<void>;
  /** Closes the connection and cancels all calls. Resolves when nothing is left open. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** One event of a call: progress, a log record or the result, which comes last. */
export type CallEvent<T> =
  | {
      readonly type: 'progress';
      readonly progress: number;
      readonly total?: number;
      readonly message?: string;
    }
  | { readonly type: 'log'; readonly level: LogLevel; readonly data: unknown; readonly logger?: string }
  | { readonly type: 'result'; readonly result: T };

/** A log record as the server sent it. */
export interface LogRecord {
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
  /** How many records before this one were lost. */
  readonly lostBefore?: number;
}
