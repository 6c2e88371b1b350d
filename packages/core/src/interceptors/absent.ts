import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable } from 'rxjs';
import type { ExchangeEvent } from './interceptor.js';

/** By this the exchanges of a server answer as if what they name was not there. */
export const absent: unique symbol = Symbol('absent');

/** An exchange that may know how its offer fails for what is not there. */
export interface MaybeAbsent {
  /** Undefined where the offer does not say. @stream call */
  [absent]?(params: JsonObject): Observable<ExchangeEvent> | undefined;
}
