import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable } from 'rxjs';
import type { Caller } from './context.js';
import type { Fault } from './faults.js';
import type { Topic } from './remote-link.js';
import type { CallEvent } from './remote.js';

/** What one exchange tells: progress and logs, then its result, which is the last. */
export type ResponseEvent = CallEvent<JsonObject>;

/** What an interceptor sees of an exchange beside its parameters. */
export interface RequestInfo {
  /** `server`: a request being served. `client`: a call being made. */
  readonly side: 'server' | 'client';
  readonly method: string;
  /** The protocol revision being spoken. */
  readonly version: string;
  /** The other party: who calls, or the server that is called. */
  readonly caller: Caller;
  /** Aborts when the exchange is taken back or its connection is gone. Made on first use. */
  readonly signal: AbortSignal;
  /** The same object for all exchanges of one server, or of one remote: what state can be kept under. */
  readonly owner: object;
  /** True once a served request ended without a result because its client is asked first; it will come again. */
  readonly inputRequired: boolean;
  /** At a client: how often the server asked before the result or failure that came last. */
  readonly rounds: number;
  /**
   * At a client: what the server says has changed, before anybody else hears of it; `undefined` = anything may have. At a
   * server it completes at once. @stream event
   */
  readonly changes$: Observable<Topic | undefined>;
  /** Tells something that went wrong and ended nothing. */
  fault(fault: Fault): void;
}

/** One exchange, as an interceptor sees it. */
export interface InterceptedRequest extends RequestInfo {
  /** As they will be sent, or as they came; `_meta` included. Not to be changed: hand others to `next`. */
  readonly params: JsonObject;
  /** The `_meta` of the parameters. */
  readonly meta: JsonObject;
}

/** Goes on with these parameters, or with those that came. Every subscription is an exchange of its own. @stream call */
export type Next = (params?: JsonObject) => Observable<ResponseEvent>;

/**
 * Stands around an exchange: may change its parameters, answer it, refuse it by an error, watch it, or change what comes
 * of it. Leaving what it returns takes the exchange back. What it throws is an error of that exchange; the first result
 * it emits is the end of it, and an end without one is NO_RESULT.
 */
export type Interceptor = (exchange: InterceptedRequest, next: Next) => Observable<ResponseEvent>;

/** By this the exchanges of a server answer as if what they name was not there. */
export const notFound: unique symbol = Symbol('absent');

/** An exchange that may know how its offer fails for what is not there. */
export interface NotFoundCapable {
  /** Undefined where the offer does not say. @stream call */
  [notFound]?(params: JsonObject): Observable<ResponseEvent> | undefined;
}
