import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import { RxmcpError } from '../base/errors.js';
import { readTraceContext, withMeta } from '../base/request-meta.js';
import type { TraceContext } from '../base/request-meta.js';
import type { Context } from './context.js';

/** A question to the client while a handler runs. */
export interface Ask {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: JsonObject;
  /** What the client must have declared, such as `{ sampling: {} }`. */
  readonly needs: JsonObject;
  /** A name of this very question for the client, where the revision has one (`elicitationId` of 2025-11-25). @default made by the era */
  readonly id?: string;
  /**
   * Resolves once what the person went elsewhere for has happened. Where the revision has a word for that, the client is told,
   * as long as the request being served lasts; a rejection tells nothing.
   */
  readonly completed?: PromiseLike<unknown>;
}

/** A context that can ask: those of tool, prompt and read handlers. */
export interface AskingContext extends Context {
  /** One wire ask per key and run. Rejects with ASK_UNAVAILABLE, ASK_SUSPENDED, ASK_REJECTED, INVALID_ANSWER, RpcError. */
  ask(key: string, ask: Ask): Promise<JsonObject>;
  /** Throws ASK_UNAVAILABLE naming what is missing unless the client declared all of `needs`. */
  require(needs: JsonObject): void;
}

/** Asks the client; what `sample`, `elicit` and `listRoots` are made of. */
export function sendAsk(ctx: Context, key: string, ask: Ask): Promise<JsonObject> {
  const asking = ctx as Partial<AskingContext>;
  if (typeof asking.ask !== 'function') {
    return Promise.reject(
      new RxmcpError(
        'ASK_UNAVAILABLE',
        `"${ask.method}" can only be asked while a tool, prompt or resource is served`,
      ),
    );
  }
  const trace = readTraceContext(ctx.meta);
  return asking.ask(key, trace === undefined ? ask : traced(ask, trace));
}

/** The same question within the trace of the request that asks it, unless it has one of its own. */
function traced(ask: Ask, trace: TraceContext): Ask {
  const meta: unknown = ask.params?._meta;
  if (isObject(meta) && 'traceparent' in meta) return ask;
  return { ...ask, params: withMeta(ask.params, { ...trace }) };
}

/**
 * The same promise, which nobody has to await: a run that is suspended leaves its other questions behind, and a promise
 * made from {@link sendAsk} rejects with it then. That is no unhandled rejection.
 */
export function ignoreRejection<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}

/** Refuses a handler whose client lacks what it needs. */
export function requireCapabilities(ctx: Context, needs: JsonObject): void {
  (ctx as AskingContext).require(needs);
}
