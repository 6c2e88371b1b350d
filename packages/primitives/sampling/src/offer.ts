import type { Context, JsonObject, Offer, Output } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { defineOffer, resultOf } from '@rxmcp/core/internal';
import type { Approve } from './approval.js';
import { approvedParams, approvedResult } from './approval.js';
import { extrasOf, paramsProblem, resultProblem, unwrapped } from './check.js';
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
  /** Declares `sampling.context`: the model function honours `includeContext`. @default false */
  readonly context?: boolean;
  /** Declares `sampling.tools`: the model function honours `tools` and `toolChoice`. @default false */
  readonly tools?: boolean;
}

/**
 * Offers a model to the servers of a client; each request and each completion is approved first.
 *
 * A server gets -1 for what was rejected (in 2026-07-28: no retry, and the client's own call ends in ASK_REJECTED), -32602
 * for a malformed request and for tools that were not declared.
 * Spec 2026-07-28 client/sampling.
 */
export function offerSampling(model: SamplingModel, options: SamplingOptions): Offer {
  const { approve, context = false, tools = false } = options;
  if (typeof model !== 'function') throw new TypeError('offerSampling needs a model function');
  if (typeof approve !== 'function' && approve !== 'dangerouslyAlways') {
    throw new TypeError('offerSampling needs `approve`: a function, or the word "dangerouslyAlways"');
  }
  const passing: Approve = approve === 'dangerouslyAlways' ? () => ({ action: 'approve' }) : approve;
  return defineOffer({
    name: 'sampling',
    side: 'client',
    capabilities: { sampling: { ...(context ? { context: {} } : {}), ...(tools ? { tools: {} } : {}) } },
    methods: [
      {
        method: 'sampling/createMessage',
        handle: (params, ctx) => complete(model, passing, readParams(params, { context, tools }), ctx),
      },
    ],
  });
}

async function complete(
  model: SamplingModel,
  approve: Approve,
  asked: CreateMessageParams,
  ctx: Context,
): Promise<JsonObject> {
  const params = await approvedParams(approve, {
    stage: 'request',
    params: asked,
    model: model.modelFor?.(asked) ?? model.modelName,
    ctx,
  });
  ctx.signal.throwIfAborted();
  const made = await resultOf(model(params, ctx), ctx, 'the model ended without a completion');
  const problem = resultProblem(made, params);
  if (problem !== undefined) throw new TypeError(`the model gave no valid completion: ${problem}`);
  const result = await approvedResult(approve, {
    stage: 'completion',
    params,
    result: made,
    model: made.model,
    ctx,
  });
  return { ...unwrapped(result) };
}

function readParams(
  params: JsonObject,
  declared: { readonly context: boolean; readonly tools: boolean },
): CreateMessageParams {
  const problem = paramsProblem(params);
  if (problem !== undefined) throw new McpError('PARAMS_INVALID', `sampling/createMessage: ${problem}`);
  const wanted = extrasOf(params);
  if (wanted.tools && !declared.tools) {
    throw new McpError(
      'PARAMS_INVALID',
      'sampling/createMessage: this client did not declare sampling.tools',
    );
  }
  const { _meta: _ours, includeContext, ...rest } = params as unknown as CreateMessageParams;
  // Context that was never promised is not given; the request itself is still good.
  const context = declared.context && includeContext !== undefined ? { includeContext } : {};
  return { ...rest, ...context } as CreateMessageParams;
}
