import type { JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import { metaOf, metaWithToken, replaceMeta, tokenOf } from '../base/request-meta.js';
import type { Claim } from '../peer/exchange-contract.js';

/** Reads what a bridge needs to know of a request. Nothing is validated: the other side does that. */
export function claimFrom(request: JsonRpcRequest, version: string): Claim {
  const meta = metaOfAny(request);
  const named = meta[META_KEYS.protocolVersion];
  return {
    version: typeof named === 'string' ? named : version,
    caller: { capabilities: {} },
    meta,
    progressToken: tokenOf(meta),
    logLevel: meta[META_KEYS.logLevel] === undefined ? undefined : 'debug',
  };
}

/** Replaces the progress token of parameters, if they have one. */
export function withToken(params: JsonObject, claim: Claim, token: number): JsonObject {
  if (claim.progressToken === undefined) return params;
  return replaceMeta(params, metaWithToken(token, claim.meta));
}

function metaOfAny(request: JsonRpcRequest): JsonObject {
  try {
    return metaOf(request);
  } catch {
    return {};
  }
}
