import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable } from 'rxjs';
import type { Implementation } from './context.js';
import type { Fault } from './faults.js';
import type { ListName } from './offer.js';
import type { LogLevel } from './items.js';
import type { MirroredParam } from './mirrored.js';
import type { Alert } from './stats/alert.js';
import type { Health, RemoteStats } from './stats/stats.js';
import type { StandardSchema } from './standard-schema.js';

/** What a remote is doing. `feeds` counts the open change feeds and those being reopened. */
export type RemoteStatus =
  | {
      readonly state: 'open';
      readonly version: string;
      readonly feeds: { readonly open: number; readonly reopening: number };
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
  readonly timeoutMs?: number;
  /** Longest time in all, in milliseconds. @default 600_000 */
  readonly totalMs?: number;
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
  healthy(): Health;
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

/** What one call of a primitive needs. */
export interface CallSpec<T> {
  readonly method: string;
  readonly params?: JsonObject;
  /** The server capability without which the call ends in CAPABILITY_ABSENT, such as `tools`. */
  readonly capability?: string;
  /** Turns the checked result object into what the caller gets; throws McpError INVALID_RESULT. */
  readonly decode: (result: JsonObject) => T;
  readonly options?: CallOptions | undefined;
  /** Which of its parameters also travel beside the body; asked anew for each request. */
  readonly mirrored?: (() => readonly MirroredParam[] | undefined) | undefined;
}

/** What changes: a list, or one resource. */
export type Topic = { readonly list: Exclude<ListName, 'roots'> } | { readonly uri: string };

/** What the primitive packages see of a remote; reach it with `link(remote)`. */
export interface RemoteLink {
  /** True when the server declared this, such as `has('resources', 'subscribe')`. */
  has(capability: string, flag?: string): boolean;
  /** True where servers may have parameters of tools travel beside the body: the carrier has a place and the revision a word. */
  readonly mirrors: boolean;
  /** Tells something that went wrong and ended nothing. */
  fault(fault: Fault): void;
  /** One call, one result. @stream call */
  call<T>(spec: CallSpec<T>): Observable<T>;
  /** One call with its progress and logs. @stream call */
  events<T>(spec: CallSpec<T>): Observable<CallEvent<T>>;
  /** Walks all pages of a list. Without the capability it emits an empty list. @stream call */
  pages<T>(spec: PagesSpec<T>): Observable<readonly T[]>;
  /**
   * A value kept current: reads at first and again whenever one of the topics changes. One feed and one reading for all
   * subscribers of one key. @stream state
   */
  live<T>(key: string, topics: readonly Topic[], read: () => Observable<T>): Observable<T>;
  /** Log records, from whatever call. @stream event */
  readonly records$: Observable<LogRecord>;
  /** Asks for logs of at least this level from now on, in the way of the revision. @stream call */
  setLogLevel(level: LogLevel): Observable<void>;
}

/** What a walk over pages needs. */
export interface PagesSpec<T> {
  readonly method: string;
  /** The member that holds the entries, such as `tools`. */
  readonly member: string;
  readonly capability: string;
  /** Checks one entry; `undefined` drops it, and a fault says so. */
  readonly decode: (entry: unknown) => T | undefined;
  readonly options?: CallOptions | undefined;
}

/** A log record with its sender's words. */
export interface LogRecord {
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
  /** How many records were lost before this one. */
  readonly lost?: number;
}
