import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable } from 'rxjs';
import { EMPTY } from 'rxjs';
import { markNotExecuted } from '../base/error-marks.js';
import type { Caller, Context } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import { reportFault } from '../contract/faults.js';
import type { ResponseEvent, RequestDetails, Interceptor, NotFoundCapable } from '../contract/interceptor.js';
import type { LogItem, ProgressItem } from '../contract/report-items.js';
import { reportKind, logItem, progressItem } from '../contract/report-items.js';
import type { MethodOffer, HandlerResult, PreparedResult, Subscribable } from '../contract/offer.js';
import { settleResult } from '../output/settle.js';
import { callStream } from '../streams/call.js';
import { chain } from '../streams/chain.js';
import type { InnerContext } from './intercepted-context.js';
import { InterceptedContext, logEvent, progressEvent } from './intercepted-context.js';
import { plainResult, withText } from './prepared-results.js';

/** Returns methods with interceptors around each, or the same methods without interceptors. */
export function intercept(
  methods: ReadonlyMap<string, MethodOffer>,
  interceptors: readonly Interceptor[],
  owner: object,
): ReadonlyMap<string, MethodOffer> {
  if (interceptors.length === 0) return methods;
  return new Map([...methods].map(([name, offer]) => [name, interceptMethod(offer, interceptors, owner)]));
}

function interceptMethod(
  offer: MethodOffer,
  interceptors: readonly Interceptor[],
  owner: object,
): MethodOffer {
  const { method } = offer;
  const handler: MethodOffer['handle'] = (params, ctx) => offer.handle(params, ctx);
  return {
    method,
    handle(params, ctx) {
      let ran = false;
      const run = (given: JsonObject, handle: MethodOffer['handle']): Observable<ResponseEvent> => {
        ran = true;
        return events(handle, given, ctx as InnerContext);
      };
      const last = (given: JsonObject): Observable<ResponseEvent> => run(given, handler);
      return itemsOf(chain(interceptors, new Served(ctx, owner, offer, run), params, last), () => ran);
    },
    ...(offer.headerParams === undefined
      ? {}
      : { headerParams: (params) => offer.headerParams?.(params) ?? [] }),
  };
}

/** Converts the output of a handler to the events that interceptors see. */
function events(
  handle: MethodOffer['handle'],
  params: JsonObject,
  ctx: InnerContext,
): Observable<ResponseEvent> {
  return callStream<ResponseEvent>((sink) => {
    let over = false;
    const emit = (event: ResponseEvent): void => {
      if (!over) sink.next(event);
    };
    const own = new InterceptedContext(ctx, params, emit);
    const stop = settleResult(handle(params, own), {
      done(value) {
        over = true;
        sink.next({ type: 'result', result: isResult(value) ? plainResult(value) : value });
        sink.complete();
      },
      failed(error) {
        over = true;
        sink.error(error);
      },
      empty() {
        over = true;
        sink.complete();
      },
      report: (item) => emit(eventOf(item)),
      teardownFailed: (cause) => ctx.teardownFailed(cause),
    });
    return {
      cancel() {
        if (over) return;
        over = true;
        stop();
        own.unsubscribed();
      },
    };
  });
}

/** Converts the events of interceptors to the output of a handler. */
function itemsOf(
  chained: Observable<ResponseEvent>,
  ran: () => boolean,
): Subscribable<JsonObject | PreparedResult | ProgressItem | LogItem> {
  return {
    subscribe: (to) =>
      chained.subscribe({
        next(event) {
          if (event.type === 'progress') to.next(progressItem(event.progress, event.total, event.message));
          else if (event.type === 'log') to.next(logItem(event.level, event.data, event.logger));
          else to.next(withText(event.result));
        },
        error: (error: unknown) => to.error(ran() ? error : markNotExecuted(error)),
        complete: () => to.complete(),
      }),
  };
}

function eventOf(item: ProgressItem | LogItem): ResponseEvent {
  if (reportKind(item) === 'progress') {
    const { progress: done, total, message } = item as ProgressItem;
    return progressEvent(done, total, message);
  }
  const { level, data, logger } = item as LogItem;
  return logEvent(level, data, logger);
}

// A handler in plain JavaScript may return anything. All results are validated elsewhere.
function isResult(value: unknown): value is JsonObject | PreparedResult {
  return typeof value === 'object' && value !== null;
}

type Run = (params: JsonObject, handle: MethodOffer['handle']) => Observable<ResponseEvent>;

class Served implements RequestDetails, NotFoundCapable {
  readonly side = 'server';
  readonly rounds = 0;
  readonly changes$ = EMPTY;

  constructor(
    private readonly ctx: Context,
    readonly owner: object,
    private readonly offer: MethodOffer,
    private readonly run: Run,
  ) {}

  notFound(params: JsonObject): Observable<ResponseEvent> | undefined {
    const { offer } = this;
    if (offer.notFound === undefined) return undefined;
    return this.run(params, (given, ctx) => offer.notFound?.(given, ctx) as HandlerResult<JsonObject>);
  }

  get method(): string {
    return this.ctx.method;
  }

  get version(): string {
    return this.ctx.version;
  }

  get caller(): Caller {
    return this.ctx.caller;
  }

  get signal(): AbortSignal {
    return this.ctx.signal;
  }

  get inputRequired(): boolean {
    return (this.ctx as InnerContext).isSuspended;
  }

  fault(fault: Fault): void {
    reportFault(this.ctx, fault);
  }
}
