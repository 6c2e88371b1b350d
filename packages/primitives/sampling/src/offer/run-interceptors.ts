import type {
  Caller,
  Context,
  ResponseEvent,
  InterceptedRequest,
  Interceptor,
  JsonObject,
  LogLevel,
} from '@rxmcp/core';
import { RxmcpError, once } from '@rxmcp/core';
import { isObject, logEvent, progressEvent, reportFault } from '@rxmcp/core/internal';
import { type Observable, defer, EMPTY, filter, finalize, map, merge, Subject, takeWhile, tap } from 'rxjs';
import type { CreateMessageParams, CreateMessageResult } from '../messages/types.js';

/** Makes a completion. */
export type CompleteFunction = (params: CreateMessageParams, ctx: Context) => Promise<CreateMessageResult>;

/**
 * Wraps a completion function in interceptors, the first of them outermost. To them it is an incoming request; unsubscribing
 * aborts the signal of the inner function.
 */
export function withInterceptors(
  interceptors: readonly Interceptor[],
  inner: CompleteFunction,
): CompleteFunction {
  if (interceptors.length === 0) return inner;
  const owner = {};
  return (params, ctx) => {
    const through = (at: number, given: JsonObject): Observable<ResponseEvent> =>
      defer(() => {
        const interceptor = interceptors[at];
        if (interceptor === undefined) return events(inner, given, ctx);
        return interceptor(exchange(ctx, owner, given), (changed = given) => through(at + 1, changed));
      });
    const results = through(0, params as JsonObject).pipe(
      tap((event) => report(event, ctx)),
      filter((event) => event.type === 'result'),
      map(({ result }) => result as unknown as CreateMessageResult),
    );
    return once(results, { signal: ctx.signal });
  };
}

function events(inner: CompleteFunction, params: JsonObject, ctx: Context): Observable<ResponseEvent> {
  const reports = new Subject<ResponseEvent>();
  const leaving = new AbortController();
  const inside = new CancellableContext(ctx, leaving.signal, reports);
  let over = false;
  const made = defer(() => inner(params as unknown as CreateMessageParams, inside)).pipe(
    map((result): ResponseEvent => ({ type: 'result', result: result as unknown as JsonObject })),
  );
  // In this order, so that reports during the synchronous part of the call are not missed.
  return merge(reports, made).pipe(
    tap({
      next: (event) => (over ||= event.type === 'result'),
      error: () => (over = true),
    }),
    takeWhile((event) => event.type !== 'result', true),
    finalize(() => {
      if (over) return;
      const taken = new RxmcpError('CANCELLED', `"${ctx.method}" was cancelled`);
      leaving.abort(ctx.signal.aborted ? ctx.signal.reason : taken);
    }),
  );
}

function exchange(ctx: Context, owner: object, params: JsonObject): InterceptedRequest {
  const { method, version, caller } = ctx;
  return {
    side: 'server',
    method,
    version,
    caller,
    get signal() {
      return ctx.signal;
    },
    owner,
    inputRequired: false,
    rounds: 0,
    changes$: EMPTY,
    fault: (fault) => reportFault(ctx, fault),
    params,
    meta: isObject(params._meta) ? params._meta : {},
  };
}

function report(event: ResponseEvent, ctx: Context): void {
  if (event.type === 'progress') ctx.progress(event.progress, event.total, event.message);
  if (event.type === 'log') ctx.log(event.level, event.data, event.logger);
}

/** A context with its own signal. Its reports pass through the interceptors. */
class CancellableContext implements Context {
  constructor(
    private readonly outer: Context,
    readonly signal: AbortSignal,
    private readonly reports: { next(event: ResponseEvent): void },
  ) {}

  get method(): string {
    return this.outer.method;
  }

  get version(): string {
    return this.outer.version;
  }

  get caller(): Caller {
    return this.outer.caller;
  }

  get meta(): JsonObject {
    return this.outer.meta;
  }

  get round(): number {
    return this.outer.round;
  }

  /** The host that reports faults. */
  get host(): unknown {
    return (this.outer as { readonly host?: unknown }).host;
  }

  progress(done: number, total?: number, message?: string): void {
    this.reports.next(progressEvent(done, total, message));
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    this.reports.next(logEvent(level, data, logger));
  }

  notify(method: string, params?: JsonObject): void {
    this.outer.notify(method, params);
  }

  request(method: string, params?: JsonObject): Promise<JsonObject> {
    return this.outer.request(method, params);
  }

  step<T>(key: string, fn: () => T | PromiseLike<T>): Promise<T> {
    return this.outer.step(key, fn);
  }
}
