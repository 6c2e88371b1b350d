import type { Context, Interceptor, JsonObject } from '@rxmcp/core';
import { interceptMethod, resultPromise } from '@rxmcp/core/internal';
import type { CreateMessageParams, CreateMessageResult } from './types.js';

/** Makes a completion. */
export type CompleteFunction = (params: CreateMessageParams, ctx: Context) => Promise<CreateMessageResult>;

const method = 'sampling/createMessage';

/**
 * Wraps a completion function in interceptors, the first of them outermost. To them it is an incoming request; unsubscribing
 * aborts the signal of the inner function.
 */
export function withInterceptors(
  interceptors: readonly Interceptor[],
  inner: CompleteFunction,
): CompleteFunction {
  if (interceptors.length === 0) return inner;
  const handle = async (params: JsonObject, ctx: Context): Promise<JsonObject> => ({
    ...(await inner(params as unknown as CreateMessageParams, ctx)),
  });
  const offer = interceptMethod({ method, handle }, interceptors, {});
  const empty = `an interceptor of "${method}" ended without a result`;
  return async (params, ctx) =>
    (await resultPromise(offer.handle(params, ctx), ctx, empty)) as unknown as CreateMessageResult;
}
