import type { JsonObject, Request } from '@rxmcp/jsonrpc';
import {
  Encoded,
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  META,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  OVERLOADED,
  UNSUPPORTED_VERSION,
} from '@rxmcp/jsonrpc';
import type { Arrival, Outgoing, Refusal } from '@rxmcp/transport';
import { isObject } from '../../base/checks.js';
import { McpError, RpcError } from '../../base/errors.js';
import { quoted } from '../../base/names.js';
import { metaOf, replaceMeta, tokenOf } from '../../base/request-meta.js';
import type { DialledConnection, Outbound } from '../dialled.js';
import type { Implementation } from '../../contract/context.js';
import { logLevels } from '../../contract/items.js';
import type { LogLevel } from '../../contract/items.js';
import { Prepared } from '../../contract/offer.js';
import type { Claim, Failure, PendingExchange } from '../../peer/exchange-contract.js';
import type { ServedConnection } from '../served.js';
import { argumentsResult, body, bodyOf } from '../failure.js';
import { inEach, without } from '../projection-rule.js';
import { cached } from './methods.js';
import { checkHead } from './mirror.js';

/** Reads a request of this era: all that is known of its caller comes with it. Spec 2026-07-28 basic#_meta. */
export function claim(serving: ServedConnection, request: Request, arrival: Arrival | undefined): Claim {
  const meta = metaOf(request);
  const version = meta[META.protocolVersion];
  const capabilities = meta[META.clientCapabilities];
  const info = meta[META.clientInfo];
  const logLevel = meta[META.logLevel];
  if (typeof version !== 'string') {
    throw lacks(request, META.protocolVersion, 'a string', { supported: spoken(serving) });
  }
  if (!isObject(capabilities)) throw lacks(request, META.clientCapabilities, 'an object');
  if (logLevel !== undefined && !logLevels.includes(logLevel as LogLevel)) {
    throw lacks(request, META.logLevel, `one of ${logLevels.join(', ')}`);
  }
  checkHead(serving, request, version, arrival?.mirror);
  if (!serving.versions.modern.includes(version)) throw unsupported(serving, version);
  return {
    version,
    caller: {
      principal: arrival?.principal ?? serving.traits.principal,
      info: isObject(info) ? (info as unknown as Implementation) : undefined,
      capabilities,
    },
    meta,
    progressToken: tokenOf(meta),
    logLevel: logLevel as LogLevel | undefined,
  };
}

/** A complete result. */
export function result(exchange: PendingExchange, value: JsonObject | Prepared): Outgoing {
  const { id } = exchange;
  if (!(value instanceof Prepared)) return { jsonrpc: '2.0', id, result: complete(exchange, value) };
  const { signed } = (exchange.host as ServedConnection).core;
  let text = signed.get(value);
  if (text === undefined) {
    text = JSON.stringify(complete(exchange, value.value));
    signed.set(value, text);
  }
  return new Encoded(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`);
}

/** A failure as this era says it. */
export function failure(exchange: PendingExchange, error: unknown): Failure {
  const { id } = exchange;
  if (McpError.is(error, 'ARGUMENTS_INVALID')) {
    return { out: { jsonrpc: '2.0', id, result: complete(exchange, argumentsResult(error)) } };
  }
  if (McpError.is(error) && error.data?.requiredCapabilities !== undefined) {
    return {
      out: { jsonrpc: '2.0', id, error: body(MISSING_CAPABILITY, error.message, error.data) },
      refusal: 'capability',
    };
  }
  const wire = bodyOf(exchange, error);
  wire.code = renamed.get(wire.code) ?? wire.code;
  const refusal = refusals.get(wire.code) ?? (exchange.unread ? 'malformed' : undefined);
  return { out: { jsonrpc: '2.0', id, error: wire }, refusal };
}

/** Logs go out only for a request that asked for them, at its level. Spec 2026-07-28 server/utilities/logging. */
export function wantsLog(exchange: PendingExchange, level: LogLevel): boolean {
  const asked = exchange.claim.logLevel;
  if (asked === undefined || (exchange.host as ServedConnection).core.capabilities.logging === undefined)
    return false;
  return logLevels.indexOf(level) >= logLevels.indexOf(asked);
}

/** Parameters as they travel, with what the server has to know of this client. */
export function outgoing(
  session: DialledConnection,
  params: JsonObject | undefined,
  extra: Outbound,
): JsonObject {
  const own = params?._meta as JsonObject | undefined;
  const claims = claimsOf(session, extra.id);
  const plain = own === undefined && extra.meta === undefined;
  // The token is written first for the reason of metaWithToken; the claims have it once more.
  const meta = plain ? claims : { progressToken: extra.id, ...own, ...extra.meta, ...claims };
  const level = extra.logLevel ?? session.logLevel;
  if (level !== undefined) meta[META.logLevel] = level;
  return replaceMeta(params, meta);
}

// The names stand here as they are, not as META's: an object with computed names costs several times as much to make,
// and this one is made for every request.
function claimsOf({ version, definition }: DialledConnection, progressToken: number): JsonObject {
  return {
    progressToken,
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': definition.info,
    'io.modelcontextprotocol/clientCapabilities': definition.modernCapabilities,
  };
}

/**
 * A complete result without what every result of this era says about itself, its type and its server: an older revision
 * says neither, and whoever hands the result on as its own would speak for another. All else stays.
 */
export function bare(result: JsonObject): JsonObject {
  const { resultType: _type, _meta: meta, ...rest } = result;
  if (isObject(meta) && Object.hasOwn(meta, META.serverInfo)) {
    const { [META.serverInfo]: _server, ...others } = meta;
    if (Object.keys(others).length > 0) rest._meta = others;
  } else if (meta !== undefined) rest._meta = meta;
  return rest;
}

/** The `_meta` by which results name their server; made once. */
export function signatureOf(info: Implementation): JsonObject {
  return Object.freeze({ [META.serverInfo]: info });
}

/** The errors that refuse a request, and as what. */
export const refusals: ReadonlyMap<number, Refusal> = new Map([
  [UNSUPPORTED_VERSION, 'unsupported'],
  [HEADER_MISMATCH, 'mismatch'],
  [MISSING_CAPABILITY, 'capability'],
  [METHOD_NOT_FOUND, 'unknown-method'],
  [OVERLOADED, 'overload'],
]);

// Codes that this revision has no more, which a handler may have met elsewhere: a resource that is missing, and pages to
// visit before a call.
const renamed: ReadonlyMap<number, number> = new Map([
  [-32002, INVALID_PARAMS],
  [-32042, INTERNAL_ERROR],
]);

// Members of 2025-11-25 that this revision does not have; lists are made once, so that this costs no call anything.
const listed = /* @__PURE__ */ inEach('tools', /* @__PURE__ */ without(['execution']));

function complete(exchange: PendingExchange, given: JsonObject): JsonObject {
  const { signature } = (exchange.host as ServedConnection).core;
  const value = exchange.method === 'tools/list' && listed !== undefined ? listed(given) : given;
  const meta = value._meta as JsonObject | undefined;
  const out: JsonObject = { resultType: 'complete', ...value };
  out._meta = meta === undefined ? signature : { ...signature, ...meta };
  if (cached.has(exchange.method)) {
    // The safe default: stale at once, and nobody else's.
    out.ttlMs ??= 0;
    out.cacheScope ??= 'private';
  }
  return out;
}

function spoken({ versions }: ServedConnection): string[] {
  return [...versions.modern, ...versions.legacy];
}

function unsupported(serving: ServedConnection, version: string): RpcError {
  const supported = spoken(serving);
  return RpcError.received({
    code: UNSUPPORTED_VERSION,
    message: `protocol version ${quoted(version)} is not spoken here`,
    data: { supported, requested: version.slice(0, 100) },
  });
}

function lacks(request: Request, member: string, what: string, data?: JsonObject): RpcError {
  return new RpcError(INVALID_PARAMS, `${quoted(request.method)}: _meta "${member}" must be ${what}`, data);
}
