import { type Context, type JsonObject, RxmcpError, RpcError } from '@rxmcp/core';
import { askArguments, sendAsk, isObject, ignoreRejection } from '@rxmcp/core/internal';
import { withContentArray } from '../messages/message-content.js';
import { samplingFeatures, validateParams, validateResult } from '../messages/validate.js';
import type { CreateMessageParams, CreateMessageResult } from '../messages/types.js';

/**
 * Asks the client's model for a completion while a tool, prompt or resource is served.
 *
 * The key identifies the ask in all runs of the handler. The same key with the same parameters asks again, at most 64 times in one
 * run. Leave the key out where each run makes its asks in the same order; asks without a key are numbered by method. Asks whose order
 * differs between runs, such as concurrent ones, need keys.
 *
 * Rejects with ASK_UNAVAILABLE if the client has no model (or none with tools), ASK_REJECTED if its user declined,
 * ASK_SUSPENDED in a run that ends here because a later run gets the answer (do not catch it), INVALID_ANSWER for an invalid
 * completion, with CANCELLED, TIMEOUT otherwise, and with TypeError for invalid parameters, and for a key that is used twice
 * in one run with other parameters. `includeContext` is omitted for a client that did not declare `sampling.context`; before 2025-11-25 it is always sent.
 * @see Spec 2026-07-28 client/sampling
 */
export function sample(ctx: Context, params: CreateMessageParams): Promise<CreateMessageResult>;
/** Asks under a key. */
export function sample(
  ctx: Context,
  key: string | undefined,
  params: CreateMessageParams,
): Promise<CreateMessageResult>;
export function sample(
  ctx: Context,
  keyOrParams: string | CreateMessageParams | undefined,
  params?: CreateMessageParams,
): Promise<CreateMessageResult> {
  return ignoreRejection(ask(ctx, ...askArguments(keyOrParams, params)));
}

async function ask(
  ctx: Context,
  key: string | undefined,
  params: CreateMessageParams,
): Promise<CreateMessageResult> {
  const problem = validateParams(params);
  if (problem !== undefined)
    throw new TypeError(`sample(ctx${key === undefined ? '' : `, "${key}"`}): ${problem}`);
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
  throw new RxmcpError(
    'INVALID_ANSWER',
    `the completion of "${key ?? 'sampling/createMessage'}" is invalid: ${broken}`,
    {
      outcome: 'answered',
    },
  );
}

/**
 * The outcome of {@link trySample}. `unsupported`: the client has no model, or none for this request. `rejected`: its user or a
 * rule rejected the request. `timedOut`: no answer in time. `failed`: any other failure of the client.
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
 * Since 2026-07-28 a client cannot report a rejection or failure: its own call ends, and the handler does not run again.
 */
export function trySample(ctx: Context, params: CreateMessageParams): Promise<TrySampleResult>;
/** Asks under a key. */
export function trySample(
  ctx: Context,
  key: string | undefined,
  params: CreateMessageParams,
): Promise<TrySampleResult>;
export function trySample(
  ctx: Context,
  keyOrParams: string | CreateMessageParams | undefined,
  params?: CreateMessageParams,
): Promise<TrySampleResult> {
  return ignoreRejection(attempt(ctx, ...askArguments(keyOrParams, params)));
}

async function attempt(
  ctx: Context,
  key: string | undefined,
  params: CreateMessageParams,
): Promise<TrySampleResult> {
  try {
    return { status: 'completed', result: await sample(ctx, key, params) };
  } catch (error) {
    if (!RxmcpError.is(error) && !RpcError.is(error)) throw error;
    const outcome = RxmcpError.is(error) ? failureOf(error) : 'failed';
    if (outcome === undefined) throw error;
    return { status: outcome, error };
  }
}

/** The error code of a client whose interceptor stops a model that takes too long. */
const tookTooLong = -31_004;

const rejectedByUser = -1;

function failureOf({ code, cause }: RxmcpError): SampleFailure | undefined {
  switch (code) {
    case 'ASK_UNAVAILABLE':
      return 'unsupported';
    case 'ASK_REJECTED':
      // The client's own error, if it answered with one.
      if (!RpcError.is(cause) || cause.code === rejectedByUser) return 'rejected';
      return cause.code === tookTooLong ? 'timedOut' : 'failed';
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
