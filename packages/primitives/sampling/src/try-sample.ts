import type { Context } from '@rxmcp/core';
import { McpError, RpcError } from '@rxmcp/core';
import { mayBeLeft } from '@rxmcp/core/internal';
import type { CreateMessageParams, CreateMessageResult } from './types.js';
import { sample } from './use.js';

/**
 * What became of a question to a model. `unsupported`: this client has none, or not for what was asked. `rejected`: its user, or
 * a rule of it, said no. `timedOut`: no answer in time. `failed`: anything else that went wrong over there.
 */
export type SampleOutcome =
  | { readonly outcome: 'completed'; readonly result: CreateMessageResult }
  | { readonly outcome: SampleFailure; readonly error: McpError | RpcError };

/** Why there is no completion. */
export type SampleFailure = 'unsupported' | 'rejected' | 'failed' | 'timedOut';

/**
 * The same as `sample` with an outcome in place of errors, for handlers that have another way. Rejects only where there is nobody to
 * go another way for: ASK_SUSPENDED, CANCELLED, and TypeError for parameters that are wrong.
 *
 * Since 2026-07-28 a client cannot answer that it rejects a question or fails at it: its call ends, and no handler runs again.
 */
export function trySample(ctx: Context, key: string, params: CreateMessageParams): Promise<SampleOutcome> {
  return mayBeLeft(attempt(ctx, key, params));
}

async function attempt(ctx: Context, key: string, params: CreateMessageParams): Promise<SampleOutcome> {
  try {
    return { outcome: 'completed', result: await sample(ctx, key, params) };
  } catch (error) {
    if (!McpError.is(error) && !RpcError.is(error)) throw error;
    const outcome = McpError.is(error)
      ? failureOf(error)
      : error.code === tookTooLong
        ? 'timedOut'
        : 'failed';
    if (outcome === undefined) throw error;
    return { outcome, error };
  }
}

/** What a client answers whose model took too long, if an interceptor watches it. */
const tookTooLong = -31_004;

function failureOf({ code }: McpError): SampleFailure | undefined {
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
