import type { Context } from '@rxmcp/core';
import type { ChargedCaller } from '@rxmcp/core/internal';
import { holderOfRequest } from '@rxmcp/core/internal';

type ChargedRequest = Parameters<typeof holderOfRequest>[0];

/** Returns who is charged for a request. */
export function chargedCaller(ctx: Context): ChargedCaller {
  const request = ctx as Context & ChargedRequest;
  return { holder: holderOfRequest(request), memory: request.host.memory };
}
