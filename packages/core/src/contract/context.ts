import type { JsonObject } from '@rxmcp/jsonrpc';
import type { LogLevel } from './report-items.js';

/**
 * An icon for display in a user interface.
 * @see Schema 2026-07-28 Icon
 */
export interface Icon {
  /** An `https:` or `data:` URI. */
  readonly src: string;
  readonly mimeType?: string;
  /** Sizes such as `48x48`, or `any`. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
  readonly [member: string]: unknown;
}

/**
 * Describes a client or server by name and version. For display only, never for decisions.
 * @see Schema 2026-07-28 Implementation
 */
export interface Implementation {
  /** The name for programs. */
  readonly name: string;
  readonly version: string;
  /** The name for people. @default name */
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

/** The other party of a request: who sent it. For an interceptor of a client, the server that it calls. */
export interface Caller {
  /** The identity that the transport authenticated. Absent for an anonymous caller. */
  readonly principal?: string | undefined;
  /** What the transport found out about the caller when it authenticated this request, such as the claims of a token. */
  readonly claims?: JsonObject | undefined;
  /** What the caller may do, as found out when this request was authenticated: such as the scopes of a token. */
  readonly scopes?: readonly string[] | undefined;
  /** The name and version that the caller claims. For display only: it is not authenticated. */
  readonly info?: Implementation | undefined;
  /** The capabilities that the client declared: in its handshake (legacy era) or in this request (modern era). */
  readonly capabilities: JsonObject;
}

/** What a handler can use in addition to its parameters. */
export interface Context {
  /** The JSON-RPC method, such as `tools/call`. */
  readonly method: string;
  /** The protocol revision of this request. */
  readonly version: string;
  /** The client, or on a client the server, that sent the request. */
  readonly caller: Caller;
  /** The request's `_meta`, unknown members included. */
  readonly meta: JsonObject;
  /**
   * Which run of the handler this is. 1, and one more each time an ask made the handler run again from its first
   * line (modern era). Always 1 in the legacy era, where a handler runs once.
   */
  readonly round: number;
  /** Aborts when the caller cancels the request or its connection closes. Created on first access. */
  readonly signal: AbortSignal;
  /**
   * Reports progress, if the caller asked for it. `done` must increase. While the peer is slow, only the latest
   * report is kept.
   * @see Spec 2025-11-25 basic/utilities/progress
   */
  progress(done: number, total?: number, message?: string): void;
  /**
   * Logs to the caller, if the caller asked for that level. While the peer is slow, the last 64 records are kept.
   * @see Spec 2026-07-28 server/utilities/logging
   */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * Sends a custom notification to the caller, on the lane of this request. Interceptors do not see it: report with
   * `log` and `progress`, so that `redact` cleans what is sent.
   */
  notify(method: string, params?: JsonObject): void;
  /**
   * Sends a custom request to the caller. Interceptors do not see it. Rejects with ASK_UNAVAILABLE if the revision does not allow a server to
   * do so, and with the RpcError that the caller responded with.
   */
  request(method: string, params?: JsonObject): Promise<JsonObject>;
  /**
   * Runs `fn` once, however often an ask makes this handler run again from its first line. The encrypted `requestState` carries
   * the value, so it must be JSON.
   */
  step<T>(key: string, fn: () => T | PromiseLike<T>): Promise<T>;
}
