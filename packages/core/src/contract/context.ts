import type { JsonObject } from '@rxmcp/jsonrpc';
import type { LogLevel } from './report-items.js';

/** Who one side of the protocol is; for display only, never for decisions. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly JsonObject[];
}

/** What is known of the party that made a request. */
export interface Caller {
  /** As the transport authenticated it; absent = anonymous. */
  readonly principal?: string | undefined;
  readonly info?: Implementation | undefined;
  /** What it declared: with this very request in the modern era, in its handshake before. */
  readonly capabilities: JsonObject;
}

/** What a handler may use beside its parameters. */
export interface Context {
  readonly method: string;
  /** The protocol revision that this request is served in. */
  readonly version: string;
  readonly caller: Caller;
  /** The request's `_meta`, unknown members included. */
  readonly meta: JsonObject;
  /** Aborts when the call is cancelled or its connection is gone. Made on first use. */
  readonly signal: AbortSignal;
  /** Reports progress where the caller asked for it; `done` has to grow. The latest report wins while the peer is slow. */
  progress(done: number, total?: number, message?: string): void;
  /** Logs to the caller where it asked for that level. Keeps a bounded number of records while the peer is slow. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /** Sends a notification of one's own to the caller, on the stream of this request. */
  notify(method: string, params?: JsonObject): void;
  /**
   * Sends a request of one's own to the caller, where the revision lets a server do that. Rejects with ASK_UNAVAILABLE
   * where it does not, and with the RpcError that the caller answered.
   */
  request(method: string, params?: JsonObject): Promise<JsonObject>;
  /**
   * Does `fn` once, however often an ask makes this handler run again from its first line. The value travels in the
   * sealed state, so it has to be JSON.
   */
  step<T>(key: string, fn: () => T | PromiseLike<T>): Promise<T>;
}
