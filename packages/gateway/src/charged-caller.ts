import type { Context } from '@rxmcp/core';
import { holderOfRequest } from '@rxmcp/core/internal';

type ChargedRequest = Parameters<typeof holderOfRequest>[0];

/** Who is charged for a request, and where. */
export interface ChargedCaller {
  readonly holder: string;
  readonly memory: Pick<ChargedRequest['host']['memory'], 'heldBytes' | 'maxBytes'>;
}

/** Returns who is charged for a request. */
export function chargedCaller(ctx: Context): ChargedCaller {
  const request = ctx as Context & ChargedRequest;
  return { holder: holderOfRequest(request), memory: request.host.memory };
}
