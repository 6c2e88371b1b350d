import type { JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import { metaOf, metaWithToken, replaceMeta, tokenOf } from '../base/request-meta.js';
import type { Claim } from '../peer/exchange-contract.js';

/** What a bridge has to know of a request; nothing of it is checked, since the other side does that. */
export function claimFrom(request: JsonRpcRequest, version: string): Claim {
  const meta = metaOfAny(request);
  const told = meta[META_KEYS.protocolVersion];
  return {
    version: typeof told === 'string' ? told : version,
    caller: { capabilities: {} },
    meta,
    progressToken: tokenOf(meta),
    logLevel: meta[META_KEYS.logLevel] === undefined ? undefined : 'debug',
  };
}

/** Parameters under another progress token, where there was one. */
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
