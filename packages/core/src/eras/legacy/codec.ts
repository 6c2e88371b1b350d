import type { JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { EncodedMessage, INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND } from '@rxmcp/jsonrpc';
import { namesVersion } from '@rxmcp/jsonrpc/internal';
import type { ReceiveInfo, OutgoingMessage } from '@rxmcp/transport';
import { lacksScopes } from '../../base/error-marks.js';
import { RxmcpError, URL_ELICITATION_REQUIRED, RpcError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';
import { metaOf, metaWithToken, replaceMeta, tokenOf } from '../../base/request-meta.js';
import { callerInSession, callerOf } from '../caller.js';
import type { DialledConnection, Outbound, ParsedResult } from '../dialled.js';
import type { LogLevel } from '../../contract/report-items.js';
import { logLevels } from '../../contract/report-items.js';
import { PreparedResult } from '../../contract/offer.js';
import type { Claim, Failure, PendingExchange } from '../../peer/exchange-contract.js';
import type { EraConnection } from '../served.js';
import { argumentsResult, bodyOf } from '../failure.js';
import { project, projectRequest } from './projection/project.js';

const missing = -32002;

/**
 * Reads what a request claims: from the handshake of its connection or, on a transport without sessions, from its
 * metadata.
 */
export function claim(
  connection: EraConnection,
  request: JsonRpcRequest,
  receiveInfo: ReceiveInfo | undefined,
): Claim {
  if (connection.versions.modern.length === 0 && namesVersion(request)) throw notServed(request);
  const meta = metaOf(request);
  const progressToken = tokenOf(meta);
  const state = connection.legacy;
  if (state !== undefined) {
    const caller = callerInSession(state.caller, receiveInfo);
    return { version: state.version, caller, meta, progressToken, logLevel: state.logLevel };
  }
  const sessionless = connection.traits.idScope === 'lane';
  if (!sessionless && request.method !== 'initialize' && request.method !== 'ping') {
    const supported = [...connection.versions.modern, ...connection.versions.legacy];
    throw new RpcError(
      INVALID_PARAMS,
      `${quoted(request.method)} before "initialize": this server supports ${supported.join(', ')}`,
      { supported },
    );
  }
  const caller = callerOf(connection.traits, receiveInfo, {});
  return { version: receiveInfo?.version ?? '2025-03-26', caller, meta, progressToken, logLevel: undefined };
}

/** Creates the error for a request of the modern era on a server without that era. */
function notServed({ method }: JsonRpcRequest): RpcError {
  return new RpcError(METHOD_NOT_FOUND, `${quoted(method)}: revisions without a handshake are not supported`);
}

/** Returns a result as this revision defines it. */
export function result(exchange: PendingExchange, value: JsonObject | PreparedResult): OutgoingMessage {
  const { version, method, id } = exchange;
  if (!(value instanceof PreparedResult))
    return { jsonrpc: '2.0', id, result: project(method, value, version) };
  let text = value.texts.get(version);
  if (text === undefined) {
    text = JSON.stringify(project(method, value.value, version));
    value.texts.set(version, text);
  }
  return new EncodedMessage(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`);
}

/** Returns a failure as this revision defines it. */
export function failure(exchange: PendingExchange, error: unknown): Failure {
  const { id, version } = exchange;
  if (RxmcpError.is(error, 'INVALID_ARGUMENTS') && version >= '2025-11-25') {
    return { out: { jsonrpc: '2.0', id, result: argumentsResult(error) } };
  }
  const body = bodyOf(exchange, error);
  // Over HTTP this is status 400, after which a client starts with the handshake.
  if (exchange.unread && body.code === METHOD_NOT_FOUND) {
    return { out: { jsonrpc: '2.0', id, error: body }, rejection: 'unsupported-version' };
  }
  if (RxmcpError.is(error, 'RESOURCE_NOT_FOUND')) body.code = missing;
  // A handler received this from a server of a newer revision than its own caller has.
  if (body.code === URL_ELICITATION_REQUIRED && version < '2025-11-25') body.code = INTERNAL_ERROR;
  const rejection = lacksScopes(error) ? 'insufficient-scope' : undefined;
  return { out: { jsonrpc: '2.0', id, error: body }, rejection };
}

/** Whether a record is logged: at the level that the client set, and only after it set one. */
export function wantsLog(exchange: PendingExchange, level: LogLevel): boolean {
  const connection = exchange.host as Partial<EraConnection>;
  const asked = connection.legacy?.logLevel;
  if (asked === undefined || connection.core?.capabilities.logging === undefined) return false;
  return logLevels.indexOf(level) >= logLevels.indexOf(asked);
}

/**
 * Returns the parameters as they are sent. Every request has a progress token, because progress restarts the idle
 * timeout.
 */
export function outgoing(
  { version }: DialledConnection,
  method: string,
  given: JsonObject | undefined,
  extra: Outbound,
): JsonObject {
  const params = projectRequest(method, given, version);
  const own = params?._meta as JsonObject | undefined;
  return replaceMeta(params, metaWithToken(extra.id, own, extra.meta));
}

/** Every result of this era is complete. */
export function readResult(_method: string, result: JsonObject): ParsedResult {
  return { kind: 'complete', result };
}
