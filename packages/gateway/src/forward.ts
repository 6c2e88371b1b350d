import type { Context, JsonObject } from '@rxmcp/core';
import { RpcError } from '@rxmcp/core';
import { BRIDGED_PEER_UNAVAILABLE, deferResult, quoted } from '@rxmcp/core/internal';
import type { MakeCall } from './forwarded-call.js';
import { ForwardedCall, idKey } from './forwarded-call.js';
import { type Output, WaitingRequest } from './held-calls.js';
import type { InnerServer } from './inner-server.js';

/**
 * Passes a request on. Unsubscribing cancels it at the other server, unless the client answers an ask of it first: then the
 * client repeats the request, which continues the same call.
 */
export function forward(server: InnerServer, ctx: Context, call: MakeCall): Output {
  if (ctx.round === 1) return begin(server, ctx, call);
  return deferResult(
    ctx.step<string | undefined>(idKey, () => undefined),
    (id) => {
      if (id === undefined) return begin(server, ctx, call);
      const held = server.held.take(id);
      if (held !== undefined) return new WaitingRequest(held, ctx);
      const message = `the call of server ${quoted(server.name)} has ended while its ask was answered. Call again`;
      throw new RpcError(BRIDGED_PEER_UNAVAILABLE, message, { retryable: true, outcome: 'unknown' });
    },
  );
}

function begin(server: InnerServer, ctx: Context, call: MakeCall): Output {
  return new WaitingRequest(new ForwardedCall(server, call), ctx);
}

/** Results pass as they are. */
export const whole = (result: JsonObject): JsonObject => result;
