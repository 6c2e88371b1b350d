import type { Context, Interceptor, JsonObject, Offer, Output } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { defineOffer, refuseThoseOf, resultOf } from '@rxmcp/core/internal';
import type { Approve } from './approval.js';
import { approvedParams, approvedResult } from './approval.js';
import type { Completing } from './around.js';
import { around } from './around.js';
import { unwrapped } from './blocks.js';
import { extrasOf, paramsProblem, resultProblem } from './check.js';
import type { ContextSource } from './context-source.js';
import { withContext } from './context-source.js';
import { toolTurns } from './turns.js';
import type { CreateMessageParams, CreateMessageResult } from './types.js';

/** Completes a request that was approved. Progress and logs that it emits go to the server. */
export interface SamplingModel {
  (params: CreateMessageParams, ctx: Context): Output<CreateMessageResult>;
  /** Shown to the person who approves. */
  readonly modelName?: string;
  /** The same where it depends on the request, such as on a server's preferences. */
  modelFor?(params: CreateMessageParams): string | undefined;
}

/** Options of {@link offerSampling}. */
export interface SamplingOptions {
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
  readonly aroundModel?: readonly Interceptor[];
}

/**
 * Offers a model to the servers of a client; each request and each completion is approved first.
 *
 * A server gets -1 for what was rejected (in 2026-07-28: no retry, and the client's own call ends in ASK_REJECTED), -32602
 * for a malformed request and for tools that were not declared. Throws a TypeError without `approve`, and for interceptors that
 * stand around calls, such as `retry`.
 * Spec 2026-07-28 client/sampling.
 */
export function offerSampling(model: SamplingModel, options: SamplingOptions): Offer {
  const { approve, context = false, tools = false, maxToolTurns = 25, maxContextChars = 16_000 } = options;
  if (typeof model !== 'function') throw new TypeError('offerSampling needs a model function');
  if (typeof approve !== 'function' && approve !== 'dangerouslyAlways') {
    throw new TypeError('offerSampling needs `approve`: a function, or the word "dangerouslyAlways"');
  }
  refuseThoseOf('client', 'the interceptors of offerSampling', options.interceptors);
  refuseThoseOf('client', 'the aroundModel of offerSampling', options.aroundModel);
  const passing: Approve = approve === 'dangerouslyAlways' ? () => ({ action: 'approve' }) : approve;
  const declared: Declared = { context: context !== false, tools, maxToolTurns };
  const run = around(options.aroundModel ?? [], (params, ctx) =>
    resultOf(model(params, ctx), ctx, 'the model ended without a completion'),
  );
  const complete = around(options.interceptors ?? [], approved(model, run, passing));
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
function approved(model: SamplingModel, run: Completing, approve: Approve): Completing {
  return async (asked, ctx) => {
    const params = await approvedParams(approve, {
      stage: 'request',
      params: asked,
      model: model.modelFor?.(asked) ?? model.modelName,
      ctx,
    });
    ctx.signal.throwIfAborted();
    const made = await run(params, ctx);
    const problem = resultProblem(made, params);
    if (problem !== undefined) throw new TypeError(`the model gave no valid completion: ${problem}`);
    const result = await approvedResult(approve, {
      stage: 'completion',
      params,
      result: made,
      model: made.model,
      ctx,
    });
    return unwrapped(result);
  };
}

function readParams(params: JsonObject, declared: Declared): CreateMessageParams {
  const problem = paramsProblem(params);
  if (problem !== undefined) throw new McpError('PARAMS_INVALID', `sampling/createMessage: ${problem}`);
  const wanted = extrasOf(params);
  if (wanted.tools && !declared.tools) {
    throw new McpError(
      'PARAMS_INVALID',
      'sampling/createMessage: this client did not declare sampling.tools',
    );
  }
  const turns = toolTurns((params as unknown as CreateMessageParams).messages);
  if (turns > declared.maxToolTurns) {
    const most = declared.maxToolTurns;
    throw new McpError('ASK_REJECTED', `the request was rejected: more than ${most} turns of tools in a row`);
  }
  const { _meta: _ours, includeContext, ...rest } = params as unknown as CreateMessageParams;
  // Context that was never promised is not given; the request itself is still good.
  const context = declared.context && includeContext !== undefined ? { includeContext } : {};
  return { ...rest, ...context } as CreateMessageParams;
}
