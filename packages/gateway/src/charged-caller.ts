import type { Context } from '@rxmcp/core';
import type { ChargedCaller, ChargedRequest } from '@rxmcp/core/internal';
import { holderOfRequest, innermost } from '@rxmcp/core/internal';

/** Returns the request behind a context, as it is charged. */
export function chargedRequest(ctx: Context): ChargedRequest {
  return innermost(ctx) as Context & ChargedRequest;
}

/** Returns who is charged for a request. */
export function chargedCaller(ctx: Context): ChargedCaller {
  const request = chargedRequest(ctx);
  return { holder: holderOfRequest(request), memory: request.host.memory };
}
