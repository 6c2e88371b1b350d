import type { Context, Interceptor, JsonObject, Offer, HandlerResult } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import { defineOffer, rejectInterceptorsOf, resultPromise, rejectRenamedOptions } from '@rxmcp/core/internal';
import type { Approve } from './approval.js';
import { approvedParams, approvedResult } from './approval.js';
import { contentBlocks, withContentArray } from './message-content.js';
import { samplingFeatures, validateParams, validateResult, toolTurns } from './validate.js';
import type { CompleteFunction } from './run-interceptors.js';
import { withInterceptors } from './run-interceptors.js';
import type { CreateMessageParams, CreateMessageResult, SamplingMessage } from './types.js';

/** Completes a request that was approved. Progress and logs that it emits go to the server. */
export interface SamplingModel {
  (params: CreateMessageParams, ctx: Context): HandlerResult<CreateMessageResult>;
  /** Shown to the person who approves. */
  readonly modelName?: string;
  /** The same where it depends on the request, such as on a server's preferences. */
  modelFor?(params: CreateMessageParams): string | undefined;
}

/** Options of {@link offerSampling}. */
export interface OfferSamplingOptions {
  /** Stands before the model and again before the server. The word instead of a function lets everything pass unseen. */
  readonly approve: Approve | 'dangerouslyAlways';
  /**
   * Declares `sampling.context`. A function gives the context that a request wants, which is put in front of what the user says
   * first, before anybody approves it; `true` says that the model function honours `includeContext` itself. @default false
   */
  readonly context?: boolean | ContextSource;
  /** Where the context of a function is cut, in characters. @default 16_000 */
  readonly maxContextChars?: number;
  /** Declares `sampling.tools`: the model function honours `tools` and `toolChoice`. @default false */
  readonly tools?: boolean;
  /** How often the model may have used tools since the user last said something; beyond it a request is rejected. @default 25 */
  readonly maxToolTurns?: number;
  /** Stand around each request with all that becomes of it, those who approve included; to them it is one being served. */
  readonly interceptors?: readonly Interceptor[];
  /** Stand around each run of the model, between the two approvals. */
  readonly modelInterceptors?: readonly Interceptor[];
}

/**
 * Offers a model to the servers of a client; each request and each completion is approved first.
 *
 * A server gets -1 for what was rejected (in 2026-07-28: no retry, and the client's own call ends in ASK_REJECTED), -32602
 * for a malformed request and for tools that were not declared. Throws a TypeError without `approve`, and for interceptors that
 * stand around calls, such as `retry`.
 * Spec 2026-07-28 client/sampling.
 */
export function offerSampling(model: SamplingModel, options: OfferSamplingOptions): Offer {
  rejectRenamedOptions('offerSampling', options, { aroundModel: 'modelInterceptors' });
  const { approve, context = false, tools = false, maxToolTurns = 25, maxContextChars = 16_000 } = options;
  if (typeof model !== 'function') throw new TypeError('`offerSampling` needs a model function');
  if (typeof approve !== 'function' && approve !== 'dangerouslyAlways') {
    throw new TypeError('offerSampling needs `approve`: a function, or the word "dangerouslyAlways"');
  }
  rejectInterceptorsOf('client', 'the interceptors of offerSampling', options.interceptors);
  rejectInterceptorsOf('client', 'the modelInterceptors of offerSampling', options.modelInterceptors);
  const passing: Approve = approve === 'dangerouslyAlways' ? () => ({ action: 'approve' }) : approve;
  const declared: Declared = { context: context !== false, tools, maxToolTurns };
  const run = withInterceptors(options.modelInterceptors ?? [], (params, ctx) =>
    resultPromise(model(params, ctx), ctx, 'the model ended without a completion'),
  );
  const complete = withInterceptors(options.interceptors ?? [], approved(model, run, passing));
  const completed = async (asked: CreateMessageParams, ctx: Context): Promise<JsonObject> => {
    const params =
      typeof context === 'function' ? await withContext(asked, context, maxContextChars, ctx) : asked;
    ctx.signal.throwIfAborted();
    return { ...(await complete(params, ctx)) };
  };
  return defineOffer({
    name: 'sampling',
    side: 'client',
    capabilities: {
      sampling: { ...(declared.context ? { context: {} } : {}), ...(tools ? { tools: {} } : {}) },
    },
    methods: [
      {
        method: 'sampling/createMessage',
        handle: (given, ctx) => completed(readParams(given, declared), ctx),
      },
    ],
  });
}

interface Declared {
  readonly context: boolean;
  readonly tools: boolean;
  readonly maxToolTurns: number;
}

/** A completion with the person before and behind it. */
function approved(model: SamplingModel, run: CompleteFunction, approve: Approve): CompleteFunction {
  return async (asked, ctx) => {
    const params = await approvedParams(approve, {
      stage: 'request',
      params: asked,
      model: model.modelFor?.(asked) ?? model.modelName,
      ctx,
    });
    ctx.signal.throwIfAborted();
    const made = await run(params, ctx);
    const problem = validateResult(made, params);
    if (problem !== undefined) throw new TypeError(`the model returned no valid completion: ${problem}`);
    const result = await approvedResult(approve, {
      stage: 'completion',
      params,
      result: made,
      model: made.model,
      ctx,
    });
    return withContentArray(result);
  };
}

function readParams(params: JsonObject, declared: Declared): CreateMessageParams {
  const problem = validateParams(params);
  if (problem !== undefined) throw new RxmcpError('INVALID_PARAMS', `sampling/createMessage: ${problem}`);
  const wanted = samplingFeatures(params);
  if (wanted.tools && !declared.tools) {
    throw new RxmcpError(
      'INVALID_PARAMS',
      'sampling/createMessage: this client did not declare sampling.tools',
    );
  }
  const turns = toolTurns((params as unknown as CreateMessageParams).messages);
  if (turns > declared.maxToolTurns) {
    const most = declared.maxToolTurns;
    throw new RxmcpError(
      'ASK_REJECTED',
      `the request was rejected: more than ${most} turns of tools in a row`,
    );
  }
  const { _meta: _ours, includeContext, ...rest } = params as unknown as CreateMessageParams;
  // Context that was never promised is not given; the request itself is still good.
  const context = declared.context && includeContext !== undefined ? { includeContext } : {};
  return { ...rest, ...context } as CreateMessageParams;
}

/** Gives what a model may know beside the conversation: of the server that asks, or of all. Nothing for none. */
export type ContextSource = (
  wanted: 'thisServer' | 'allServers',
  ctx: Context,
) => string | undefined | PromiseLike<string | undefined>;

/**
 * The request with the context that it wants as a text in front of what the user says first, cut at the limit. It wants no more
 * then.
 */
async function withContext(
  params: CreateMessageParams,
  source: ContextSource,
  maxChars: number,
  ctx: Context,
): Promise<CreateMessageParams> {
  const { includeContext, ...rest } = params;
  if (includeContext === undefined || includeContext === 'none') return params;
  const found = await source(includeContext, ctx);
  const bare = rest as CreateMessageParams;
  if (found === undefined || found === '') return bare;
  const text = `Context (${includeContext}):\n${cut(found, maxChars)}`;
  return { ...bare, messages: withText(params.messages, text) };
}

function withText(messages: readonly SamplingMessage[], text: string): readonly SamplingMessage[] {
  const block = { type: 'text', text } as const;
  const [first, ...later] = messages;
  // Many models want the roles to take turns, and what tools answered stands alone.
  const joins = first?.role === 'user' && contentBlocks(first).every(({ type }) => type !== 'tool_result');
  if (first === undefined || !joins) return [{ role: 'user', content: block }, ...messages];
  return [{ ...first, content: [block, ...contentBlocks(first)] }, ...later];
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // Not through the middle of a character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return `${text.slice(0, end)}\n(cut)`;
}
