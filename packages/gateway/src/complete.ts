import type { CompleteRequest } from '@rxmcp/completion/internal';
import type { Context, HandlerResult, JsonObject } from '@rxmcp/core';
import { getRemoteLink } from '@rxmcp/core/internal';
import { forward, whole } from './forward.js';
import type { InnerServer } from './inner-server.js';

/** Passes a completion on. Returns undefined if the other server has none. */
export function complete(
  server: InnerServer,
  ctx: Context,
  ref: JsonObject,
  { argument, typed, knownArguments }: CompleteRequest,
): HandlerResult<JsonObject> | undefined {
  if (server.remote?.capabilities['completions'] === undefined) return undefined;
  const isAlone = Object.keys(knownArguments).length === 0;
  return forward(server, ctx, (remote, options) =>
    getRemoteLink(remote).events({
      method: 'completion/complete',
      params: {
        ref,
        argument: { name: argument, value: typed },
        ...(isAlone ? {} : { context: { arguments: knownArguments } }),
      },
      capability: 'completions',
      decode: whole,
      options,
    }),
  );
}
