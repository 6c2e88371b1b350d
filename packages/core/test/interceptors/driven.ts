import { EMPTY } from 'rxjs';
import type { Observable, Subscription } from 'rxjs';
import type { ResponseEvent, InterceptedRequest, Interceptor } from '../../src/index.js';
import type { JsonObject } from '@rxmcp/jsonrpc';

/** An exchange that no client made. */
export function exchange(more: Partial<InterceptedRequest> = {}): InterceptedRequest {
  const params = more.params ?? {};
  return {
    side: 'client',
    method: 'x/y',
    version: '2026-07-28',
    caller: { capabilities: {} },
    signal: new AbortController().signal,
    owner: globalThis,
    inputRequired: false,
    rounds: 0,
    changes$: EMPTY,
    fault: () => undefined,
    params,
    meta: (params['_meta'] as JsonObject | undefined) ?? {},
    ...more,
  };
}

/** The result event of an object. */
export const result = (value: JsonObject = {}): ResponseEvent => ({ type: 'result', result: value });

/** Progress. */
export const step = (progress: number): ResponseEvent => ({ type: 'progress', progress });

/** One subscription to an interceptor, and all that it emitted so far. */
export interface Driven {
  readonly seen: unknown[];
  readonly subscription: Subscription;
}

/** Puts an interceptor around a source; each event is noted, errors as they are. */
export function drive(
  interceptor: Interceptor,
  source: (params: JsonObject) => Observable<ResponseEvent>,
  more: Partial<InterceptedRequest> = {},
): Driven {
  const seen: unknown[] = [];
  const given = exchange(more);
  const subscription = interceptor(given, (params = given.params) => source(params)).subscribe({
    next: (event) =>
      seen.push(event.type === 'progress' ? event.progress : event.type === 'log' ? 'log' : event.result),
    error: (error) => seen.push(error),
    complete: () => seen.push('complete'),
  });
  return { seen, subscription };
}
