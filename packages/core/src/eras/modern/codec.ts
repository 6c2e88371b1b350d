import type { JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import {
  EncodedMessage,
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  MISSING_REQUIRED_CLIENT_CAPABILITY,
  OVERLOADED,
  UNSUPPORTED_PROTOCOL_VERSION,
} from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import type { ReceiveInfo, OutgoingMessage, RejectionReason } from '@rxmcp/transport';
import { isObject } from '../../base/checks.js';
import { lacksScopes } from '../../base/error-marks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';
import { metaOf, replaceMeta, tokenOf } from '../../base/request-meta.js';
import { ownerOf } from '../../contract/call-owner.js';
import { callerOf } from '../caller.js';
import type { DialledConnection, Outbound } from '../dialled.js';
import type { Implementation } from '../../contract/context.js';
import { logLevels } from '../../contract/report-items.js';
import type { LogLevel } from '../../contract/report-items.js';
import { PreparedResult } from '../../contract/offer.js';
import type { Claim, Failure, PendingExchange } from '../../peer/exchange-contract.js';
import type { EraConnection } from '../served.js';
import { argumentsResult, body, bodyOf } from '../failure.js';
import { inEach, without } from '../projection-rule.js';
import { cacheableMethods } from './methods.js';
import { checkHead } from './header-checks.js';

/**
 * Reads what a request claims in its `_meta`.
 * @see Spec 2026-07-28 basic#_meta
 */
export function claim(
  connection: EraConnection,
  request: JsonRpcRequest,
  receiveInfo: ReceiveInfo | undefined,
): Claim {
  const meta = metaOf(request);
  const version = meta[META_KEYS.protocolVersion];
  const capabilities = meta[META_KEYS.clientCapabilities];
  const info = meta[META_KEYS.clientInfo];
  const logLevel = meta[META_KEYS.logLevel];
  if (typeof version !== 'string') {
    throw lacks(request, META_KEYS.protocolVersion, 'a string', { supported: supportedVersions(connection) });
  }
  if (!isObject(capabilities)) throw lacks(request, META_KEYS.clientCapabilities, 'an object');
  if (logLevel !== undefined && !logLevels.includes(logLevel as LogLevel)) {
    throw lacks(request, META_KEYS.logLevel, `one of ${logLevels.join(', ')}`);
  }
  checkHead(connection, request, version, receiveInfo?.headers);
  if (!connection.versions.modern.includes(version)) throw unsupported(connection, version);
  return {
    version,
    caller: callerOf(
      connection.traits,
      receiveInfo,
      capabilities,
      isObject(info) ? (info as unknown as Implementation) : undefined,
    ),
    meta,
    progressToken: tokenOf(meta),
    logLevel: logLevel as LogLevel | undefined,
  };
}

/** Returns a complete result. */
export function result(exchange: PendingExchange, value: JsonObject | PreparedResult): OutgoingMessage {
  const { id } = exchange;
  if (!(value instanceof PreparedResult)) return { jsonrpc: '2.0', id, result: complete(exchange, value) };
  const { signed } = (exchange.host as EraConnection).core;
  let text = signed.get(value);
  if (text === undefined) {
    text = JSON.stringify(complete(exchange, value.value));
    signed.set(value, text);
  }
  return new EncodedMessage(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`);
}

/** Returns a failure as this era defines it. */
export function failure(exchange: PendingExchange, error: unknown): Failure {
  const { id } = exchange;
  if (RxmcpError.is(error, 'INVALID_ARGUMENTS')) {
    return { out: { jsonrpc: '2.0', id, result: complete(exchange, argumentsResult(error)) } };
  }
  if (RxmcpError.is(error) && error.data?.requiredCapabilities !== undefined) {
    return {
      out: { jsonrpc: '2.0', id, error: body(MISSING_REQUIRED_CLIENT_CAPABILITY, error.message, error.data) },
      rejection: 'missing-capability',
    };
  }
  const wire = bodyOf(exchange, error);
  wire.code = renamed.get(wire.code) ?? wire.code;
  const rejection = lacksScopes(error)
    ? 'insufficient-scope'
    : (rejectionReasons.get(wire.code) ?? (exchange.unread ? 'malformed' : undefined));
  return { out: { jsonrpc: '2.0', id, error: wire }, rejection };
}

/**
 * Whether a record is logged: only if the request asked for logs, and at its level.
 * @see Spec 2026-07-28 server/utilities/logging
 */
export function wantsLog(exchange: PendingExchange, level: LogLevel): boolean {
  const asked = exchange.claim.logLevel;
  if (asked === undefined || (exchange.host as EraConnection).core.capabilities.logging === undefined)
    return false;
  return logLevels.indexOf(level) >= logLevels.indexOf(asked);
}

/** Returns the parameters as they are sent, with the metadata of this client. */
export function outgoing(
  session: DialledConnection,
  params: JsonObject | undefined,
  extra: Outbound,
): JsonObject {
  const own = params?._meta as JsonObject | undefined;
  const claims = claimsOf(session, extra);
  const plain = own === undefined && extra.meta === undefined;
  // The token is written first for the reason given at metaWithToken; `claims` contains it again.
  const meta = plain ? claims : { progressToken: extra.id, ...own, ...extra.meta, ...claims };
  const level = extra.options?.logLevel ?? session.logLevel;
  if (level !== undefined) meta[META_KEYS.logLevel] = level;
  return replaceMeta(params, meta);
}

// Literal names instead of META_KEYS: an object with computed names costs several times as much to create, and this
// one is created for every request.
function claimsOf(
  { version, definition: { info, modernCapabilities } }: DialledConnection,
  { id: progressToken, options }: Outbound,
): JsonObject {
  return {
    progressToken,
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': info,
    'io.modelcontextprotocol/clientCapabilities':
      ownerOf(options)?.declared?.(modernCapabilities) ?? modernCapabilities,
  };
}

/**
 * Returns a complete result without its type and its server, which older revisions do not have and which do not
 * describe a server that relays it.
 */
export function bare(result: JsonObject): JsonObject {
  const { resultType: _type, _meta: meta, ...rest } = result;
  if (isObject(meta) && Object.hasOwn(meta, META_KEYS.serverInfo)) {
    const { [META_KEYS.serverInfo]: _server, ...others } = meta;
    if (Object.keys(others).length > 0) rest._meta = others;
  } else if (meta !== undefined) rest._meta = meta;
  return rest;
}

/** Creates the `_meta` by which results name their server. */
export function signatureOf(info: Implementation): JsonObject {
  return Object.freeze({ [META_KEYS.serverInfo]: info });
}

/** The error codes that reject a request, with the reason for the transport. */
export const rejectionReasons: ReadonlyMap<number, RejectionReason> = new Map([
  [UNSUPPORTED_PROTOCOL_VERSION, 'unsupported-version'],
  [HEADER_MISMATCH, 'header-mismatch'],
  [MISSING_REQUIRED_CLIENT_CAPABILITY, 'missing-capability'],
  [METHOD_NOT_FOUND, 'unknown-method'],
  [OVERLOADED, 'overloaded'],
]);

// Codes that this revision no longer has, but that a handler may have received elsewhere: a missing resource, and
// pages to visit.
const renamed: ReadonlyMap<number, number> = new Map([
  [-32002, INVALID_PARAMS],
  [-32042, INTERNAL_ERROR],
]);

// Removes members of 2025-11-25 that this revision does not have. A list is encoded once, so that this costs calls
// nothing.
const listed = /* @__PURE__ */ inEach('tools', /* @__PURE__ */ without(['execution']));

function complete(exchange: PendingExchange, given: JsonObject): JsonObject {
  const { signature } = (exchange.host as EraConnection).core;
  const value = exchange.method === 'tools/list' && listed !== undefined ? listed(given) : given;
  const meta = value._meta as JsonObject | undefined;
  const out: JsonObject = { resultType: 'complete', ...value };
  out._meta = meta === undefined ? signature : { ...signature, ...meta };
  if (cacheableMethods.has(exchange.method)) {
    // The safe default: stale at once and private.
    out.ttlMs ??= 0;
    out.cacheScope ??= 'private';
  }
  return out;
}

function supportedVersions({ versions }: EraConnection): string[] {
  return [...versions.modern, ...versions.legacy];
}

function unsupported(connection: EraConnection, version: string): RpcError {
  const supported = supportedVersions(connection);
  return RpcError.fromResponse({
    code: UNSUPPORTED_PROTOCOL_VERSION,
    message: `unsupported protocol version ${quoted(version)}; supported: ${supported.join(', ')}`,
    data: { supported, requested: version.slice(0, 100) },
  });
}

function lacks(request: JsonRpcRequest, member: string, what: string, data?: JsonObject): RpcError {
  return new RpcError(INVALID_PARAMS, `${quoted(request.method)}: _meta "${member}" must be ${what}`, data);
}
