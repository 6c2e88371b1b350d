import type { Context, JsonObject } from '@rxmcp/core';
import { RxmcpError, RpcError } from '@rxmcp/core';
import { sendAsk, isObject, ignoreRejection } from '@rxmcp/core/internal';
import { withContentArray } from './message-content.js';
import { samplingFeatures, validateParams, validateResult } from './validate.js';
import type { CreateMessageParams, CreateMessageResult } from './types.js';

/**
 * Asks the client's model for a completion while a tool, prompt or resource is served; one wire ask per key and run.
 *
 * Rejects with ASK_UNAVAILABLE where the client has no model (or not for tools), ASK_REJECTED when its user declined,
 * ASK_SUSPENDED in a run that ends here because a later one gets the answer (let it pass), INVALID_ANSWER for a broken
 * completion, CANCELLED, TIMEOUT or RpcError otherwise, and TypeError for parameters that are wrong.
 * `includeContext` is omitted for a client that did not declare `sampling.context`; before 2025-11-25 it is always sent.
 * Spec 2026-07-28 client/sampling.
 */
export function sample(ctx: Context, key: string, params: CreateMessageParams): Promise<CreateMessageResult> {
  return ignoreRejection(ask(ctx, key, params));
}

async function ask(ctx: Context, key: string, params: CreateMessageParams): Promise<CreateMessageResult> {
  const problem = validateParams(params);
  if (problem !== undefined) throw new TypeError(`sample(ctx, "${key}"): ${problem}`);
  const extras = samplingFeatures(params);
  const { includeContext, ...rest } = params;
  const declared = ctx.caller.capabilities.sampling;
  const sent: JsonObject = { ...rest, messages: params.messages.map(withContentArray) };
  if (extras.context && isObject(declared) && isObject(declared.context))
    sent.includeContext = includeContext;
  const needs = { sampling: extras.tools ? { tools: {} } : {} };
  const result = await sendAsk(ctx, key, { method: 'sampling/createMessage', params: sent, needs });
  const broken = validateResult(result, params);
  if (broken === undefined) return result as unknown as CreateMessageResult;
  throw new RxmcpError('INVALID_ANSWER', `the completion of "${key}" is invalid: ${broken}`, {
    outcome: 'answered',
  });
}

/**
 * What became of a question to a model. `unsupported`: this client has none, or not for what was asked. `rejected`: its user, or
 * a rule of it, said no. `timedOut`: no answer in time. `failed`: anything else that went wrong over there.
 */
export type TrySampleResult =
  | { readonly status: 'completed'; readonly result: CreateMessageResult }
  | { readonly status: SampleFailure; readonly error: RxmcpError | RpcError };

/** Why there is no completion. */
export type SampleFailure = 'unsupported' | 'rejected' | 'failed' | 'timedOut';

/**
 * Asks like `sample`, and returns an outcome instead of an error, for handlers that have a fallback. Rejects only where a fallback
 * makes no sense: ASK_SUSPENDED, CANCELLED, and TypeError for invalid parameters.
 *
 * Since 2026-07-28 a client cannot answer that it rejects a question or fails at it: its call ends, and no handler runs again.
 */
export function trySample(ctx: Context, key: string, params: CreateMessageParams): Promise<TrySampleResult> {
  return ignoreRejection(attempt(ctx, key, params));
}

async function attempt(ctx: Context, key: string, params: CreateMessageParams): Promise<TrySampleResult> {
  try {
    return { status: 'completed', result: await sample(ctx, key, params) };
  } catch (error) {
    if (!RxmcpError.is(error) && !RpcError.is(error)) throw error;
    const outcome = RxmcpError.is(error)
      ? failureOf(error)
      : error.code === tookTooLong
        ? 'timedOut'
        : 'failed';
    if (outcome === undefined) throw error;
    return { status: outcome, error };
  }
}

/** What a client answers whose model took too long, if an interceptor watches it. */
const tookTooLong = -31_004;

function failureOf({ code }: RxmcpError): SampleFailure | undefined {
  switch (code) {
    case 'ASK_UNAVAILABLE':
      return 'unsupported';
    case 'ASK_REJECTED':
      return 'rejected';
    case 'TIMEOUT':
      return 'timedOut';
    case 'ASK_SUSPENDED':
    case 'CANCELLED':
    case 'CLOSED':
      return undefined;
    default:
      return 'failed';
  }
}
