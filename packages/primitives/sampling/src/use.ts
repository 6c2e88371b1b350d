import type { Context, JsonObject } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { askOf, isObject, mayBeLeft } from '@rxmcp/core/internal';
import { unwrapped } from './blocks.js';
import { extrasOf, paramsProblem, resultProblem } from './check.js';
import type { CreateMessageParams, CreateMessageResult } from './types.js';

/**
 * Asks the client's model for a completion while a tool, prompt or resource is served; one wire ask per key and run.
 *
 * Rejects with ASK_UNAVAILABLE where the client has no model (or not for tools), ASK_REJECTED when its user declined,
 * ASK_SUSPENDED in a run that ends here because a later one gets the answer (let it pass), ANSWER_INVALID for a broken
 * completion, CANCELLED, TIMEOUT or RpcError otherwise, and TypeError for parameters that are wrong.
 * `includeContext` is left out for a client that did not declare `sampling.context`; before 2025-11-25 none has to.
 * Spec 2026-07-28 client/sampling.
 */
export function sample(ctx: Context, key: string, params: CreateMessageParams): Promise<CreateMessageResult> {
  return mayBeLeft(ask(ctx, key, params));
}

async function ask(ctx: Context, key: string, params: CreateMessageParams): Promise<CreateMessageResult> {
  const problem = paramsProblem(params);
  if (problem !== undefined) throw new TypeError(`sample(ctx, "${key}"): ${problem}`);
  const extras = extrasOf(params);
  const { includeContext, ...rest } = params;
  const declared = ctx.caller.capabilities.sampling;
  const sent: JsonObject = { ...rest, messages: params.messages.map(unwrapped) };
  if (extras.context && isObject(declared) && isObject(declared.context))
    sent.includeContext = includeContext;
  const needs = { sampling: extras.tools ? { tools: {} } : {} };
  const result = await askOf(ctx, key, { method: 'sampling/createMessage', params: sent, needs });
  const broken = resultProblem(result, params);
  if (broken === undefined) return result as unknown as CreateMessageResult;
  throw new McpError('ANSWER_INVALID', `the completion of "${key}" is invalid: ${broken}`, {
    outcome: 'answered',
  });
}
