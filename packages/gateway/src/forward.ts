import type { CallEvent, CallOptions, Context, JsonObject, Remote } from '@rxmcp/core';
import { RpcError } from '@rxmcp/core';
import { BRIDGED_PEER_UNAVAILABLE, deferResult, quoted } from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import { ForwardedCall, idKey } from './forwarded-call.js';
import type { HeldCall, Output } from './held-calls.js';
import type { InnerServer } from './inner-server.js';

/**
 * Passes a request on. Unsubscribing cancels it at the other server, unless the client answers an ask of it first: then the
 * client repeats the request, which continues the same call.
 */
export function forward(
  server: InnerServer,
  ctx: Context,
  call: (remote: Remote, options: CallOptions) => Observable<CallEvent<JsonObject>>,
): Output {
  const begin = (): Output => outputOf(new ForwardedCall(server, call), ctx);
  if (ctx.round === 1) return begin();
  return deferResult(
    ctx.step<string | undefined>(idKey, () => undefined),
    (id) => {
      if (id === undefined) return begin();
      const held = server.held.take(id);
      if (held !== undefined) return outputOf(held, ctx);
      const message = `the call of server ${quoted(server.name)} has ended while its ask was answered. Call again`;
      throw new RpcError(BRIDGED_PEER_UNAVAILABLE, message, { retryable: true, outcome: 'unknown' });
    },
  );
}

function outputOf(call: HeldCall, ctx: Context): Output {
  return { subscribe: (to) => ({ unsubscribe: call.attach(ctx, to) }) };
}

/** Results pass as they are. */
export const whole = (result: JsonObject): JsonObject => result;
