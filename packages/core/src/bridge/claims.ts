import type { JsonObject, Request } from '@rxmcp/jsonrpc';
import { META } from '@rxmcp/jsonrpc';
import { metaOf, metaWithToken, replaceMeta, tokenOf } from '../base/request-meta.js';
import type { Claim } from '../peer/exchange-contract.js';

/** What a bridge has to know of a request; nothing of it is checked, since the other side does that. */
export function claimFrom(request: Request, version: string): Claim {
  const meta = metaOfAny(request);
  const told = meta[META.protocolVersion];
  return {
    version: typeof told === 'string' ? told : version,
    caller: { capabilities: {} },
    meta,
    progressToken: tokenOf(meta),
    logLevel: meta[META.logLevel] === undefined ? undefined : 'debug',
  };
}

/** Parameters under another progress token, where there was one. */
export function withToken(params: JsonObject, claim: Claim, token: number): JsonObject {
  if (claim.progressToken === undefined) return params;
  return replaceMeta(params, metaWithToken(token, claim.meta));
}

function metaOfAny(request: Request): JsonObject {
  try {
    return metaOf(request);
  } catch {
    return {};
  }
}
