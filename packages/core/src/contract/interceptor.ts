import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable } from 'rxjs';
import type { Caller } from './context.js';
import type { Fault } from './faults.js';
import type { Topic } from './remote-link.js';
import type { CallEvent } from './remote.js';

/** What an {@link Interceptor} emits for a request: any number of progress reports and log records, then the result, which is last. */
export type ResponseEvent = CallEvent<JsonObject>;

/** One request: the first argument of an {@link Interceptor}. */
export interface InterceptedRequest {
  /** `server` for a request that is served, `client` for a call that is made. */
  readonly side: 'server' | 'client';
  /** The JSON-RPC method, such as `tools/call`. */
  readonly method: string;
  /** The protocol revision of this request. */
  readonly version: string;
  /** The other party: the caller of a server, or the server that a client calls. */
  readonly caller: Caller;
  /** Aborts when the request is cancelled or its connection closes. Created on first access. */
  readonly signal: AbortSignal;
  /** The same object for all requests of one server or of one remote. Use it as a key for state. */
  readonly owner: object;
  /**
   * Whether a served request ended without a result because its client must answer an ask first. The request will
   * come again.
   */
  readonly inputRequired: boolean;
  /** How often the server asked before the last result or failure. Always 0 on a server. */
  readonly rounds: number;
  /**
   * On a client, emits what the server reports as changed before any other subscriber receives it; `undefined`
   * means that anything may have changed. On a server, completes at once. @stream event
   */
  readonly changes$: Observable<Topic | undefined>;
  /** Reports something that went wrong and ended nothing. */
  fault(fault: Fault): void;
  /** The parameters as received, or as they will be sent; `_meta` included. Do not change them: pass others to `next`. */
  readonly params: JsonObject;
  /** The `_meta` of the parameters. */
  readonly meta: JsonObject;
}

/** A request without its parameters, which each interceptor may replace. */
export type RequestDetails = Omit<InterceptedRequest, 'params' | 'meta'>;

/**
 * Passes the request to the next interceptor, and after the last one to the handler (server) or to the wire (client):
 * the second argument of an {@link Interceptor}. `params` replaces the parameters. Nothing runs before the returned
 * Observable is subscribed to; each subscription is a separate request. @stream call
 */
export type NextFunction = (params?: JsonObject) => Observable<ResponseEvent>;

/**
 * Wraps a request. An interceptor can change the parameters, respond itself, reject with an error, observe the
 * events or change them.
 * Unsubscribing from the returned Observable cancels the request. An error that the interceptor throws is the error
 * of the request. The first result that it emits ends the request; completion without a result is NO_RESULT.
 */
export type Interceptor = (request: InterceptedRequest, next: NextFunction) => Observable<ResponseEvent>;

/** A server request that can fail as if the item that it names did not exist: its offer may define that error. */
export interface NotFoundCapable {
  /** Returns undefined if the offer does not define such an error. @stream call */
  notFound?(params: JsonObject): Observable<ResponseEvent> | undefined;
}
