import type { Context, Interceptor, JsonObject, Offer, HandlerResult } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import { defineOffer, rejectInterceptorsOf, resultPromise, rejectUnknownOptions } from '@rxmcp/core/internal';
import { type Approve, approvedParams, approvedResult } from './approval.js';
import { contentBlocks, withContentArray } from '../messages/message-content.js';
import { samplingFeatures, validateParams, validateResult, toolTurns } from '../messages/validate.js';
import { type CompleteFunction, withInterceptors } from './run-interceptors.js';
import type { CreateMessageParams, CreateMessageResult, SamplingMessage } from '../messages/types.js';

/** Completes an approved request. The progress and logs that it emits are sent to the server. */
export interface SamplingModel {
  (params: CreateMessageParams, ctx: Context): HandlerResult<CreateMessageResult>;
  /** The name of the model, shown to the person who approves. */
  readonly modelName?: string;
  /** Returns the name of the model if it depends on the request, such as on a server's preferences. */
  modelFor?(params: CreateMessageParams): string | undefined;
}

/** Options of {@link offerSampling}. */
export interface OfferSamplingOptions {
  /** Approves each request before the model and each completion before the server. `'dangerouslyAlways'` approves all unseen. */
  readonly approve: Approve | 'dangerouslyAlways';
  /**
   * Declares `sampling.context`. A function returns the context that a request includes; it is put before the first user
   * message, before approval. `true` means that the model function honours `includeContext` itself. @default false
   */
  readonly context?: boolean | ContextSource;
  /** Longest context of a `context` function, in characters; the rest is cut. @default 16_000 */
  readonly maxContextChars?: number;
  /** Declares `sampling.tools`: the model function honours `tools` and `toolChoice`. @default false */
  readonly tools?: boolean;
  /** Most tool turns of the model since the last user message; a request with more is rejected. @default 25 */
  readonly maxToolTurns?: number;
  /** Interceptors around each request, including its approvals; to them it is an incoming request. @default none */
  readonly interceptors?: readonly Interceptor[];
  /** Interceptors around each run of the model, between the two approvals. @default none */
  readonly modelInterceptors?: readonly Interceptor[];
}

const knownOptions: Record<keyof OfferSamplingOptions, true> = {
  approve: true,
  context: true,
  maxContextChars: true,
  tools: true,
  maxToolTurns: true,
  interceptors: true,
  modelInterceptors: true,
};

/**
 * Offers a model to the servers of a client; each request and each completion must be approved first.
 *
 * A server receives -1 for a rejected request (in 2026-07-28 the client's own call fails with ASK_REJECTED instead), and -32602
 * for a malformed request and for tools that were not declared.
 * @throws TypeError without `approve`, and for interceptors of outgoing calls, such as `retry`
 * @see Spec 2026-07-28 client/sampling
 */
export function offerSampling(model: SamplingModel, options: OfferSamplingOptions): Offer {
  if (typeof options !== 'object' || (options as unknown) === null)
    throw new TypeError(
      'offerSampling needs `approve`, as in offerSampling(model, { approve: (request) => ... }): a person decides what a model sees',
    );
  rejectUnknownOptions('offerSampling', options, knownOptions, { aroundModel: 'modelInterceptors' });
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

/** A completion with its two approvals. */
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
  // Context that was not declared is not added; the request itself is still valid.
  const context = declared.context && includeContext !== undefined ? { includeContext } : {};
  return { ...rest, ...context } as CreateMessageParams;
}

/** Returns context for a model in addition to the conversation: of the server that asks, or of all servers. */
export type ContextSource = (
  wanted: 'thisServer' | 'allServers',
  ctx: Context,
) => string | undefined | PromiseLike<string | undefined>;

/**
 * The request with its context as text before the first user message, cut at the limit. The result has no `includeContext`.
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
  // Many models require alternating roles, and a message with tool results holds nothing else.
  const joins = first?.role === 'user' && contentBlocks(first).every(({ type }) => type !== 'tool_result');
  if (first === undefined || !joins) return [{ role: 'user', content: block }, ...messages];
  return [{ ...first, content: [block, ...contentBlocks(first)] }, ...later];
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // A cut must not split a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return `${text.slice(0, end)}\n(cut)`;
}
