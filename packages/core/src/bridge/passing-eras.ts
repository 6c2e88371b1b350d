import { INVALID_REQUEST, METHOD_NOT_FOUND, OVERLOADED } from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import type { JsonObject } from '@rxmcp/jsonrpc';
import type { RejectionReason } from '@rxmcp/transport';
import { isObject } from '../base/checks.js';
import { RxmcpError, RpcError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import { rejectionReasons } from '../eras/modern/codec.js';
import { checkHead, checkParams, requestOptions } from '../eras/modern/header-checks.js';
import { withoutServerInitiated } from '../offers/capabilities.js';
import { notification } from '../peer/writer.js';
import type { BridgeLink, PassingEra, RelayedRequest } from './contract.js';
import { relayedError, passingEra } from './passing-era.js';

/** How a bridge handles the revisions without a handshake. */
export const modernPassing: PassingEra = /* @__PURE__ */ passingEra({
  takesQuestions: false,
  sendsHeaderParams: true,
  failure: (exchange, error) => relayedError(exchange, error, rejectionReasons),
  laneClosed(exchange) {
    const message = `the caller of ${quoted(exchange.method)} closed its connection`;
    exchange.cancel(new RxmcpError('CANCELLED', message, { outcome: 'unknown' }));
  },
  check(link, request, exchange) {
    const version = exchange.meta[META_KEYS.protocolVersion];
    // The server reports a malformed version.
    if (typeof version !== 'string') return;
    const { connection } = link.client;
    link.modern = version;
    checkHead(connection, request, version, exchange.receiveInfo?.headers);
    if (!link.carries(version)) {
      const message = `a transport of this bridge does not support ${quoted(request.method)} of ${quoted(version)}`;
      throw new RpcError(METHOD_NOT_FOUND, message);
    }
    exchange.offer = link.headerParams.offerFor(request.method);
    void checkParams(connection, exchange);
  },
  outgoing: (_link, _method, params) => params,
  sendOptions({ server, headerParams }, { method, params, version, receiveInfo }) {
    const marked = method === 'tools/call' ? headerParams.of(params.name) : undefined;
    const own = requestOptions({ connection: server.connection, version }, method, params, marked);
    if (own === undefined || marked !== undefined || receiveInfo?.headers === undefined) return own;
    // The bridge relayed no list, but the client has read one: its own headers are kept.
    return { ...own, headers: { ...receiveInfo.headers, ...own.headers } };
  },
  taken(link, call, result) {
    const { exchange } = call;
    switch (exchange.method) {
      case 'server/discover':
        return shared(link, result);
      case 'tools/list':
        link.headerParams.learn(result);
        return result;
      case 'subscriptions/listen':
        exchange.done(renamed(call, result));
        link.endLane(exchange);
        return undefined;
      default:
        return result;
    }
  },
  cancel({ server }, { id, lane }, reason) {
    if (lane !== undefined) server.connection.endLane(lane);
    else void server.writer.send(notification('notifications/cancelled', { requestId: id, reason }));
  },
});

function shared(link: BridgeLink, result: JsonObject): JsonObject {
  const { supportedVersions } = result;
  if (!Array.isArray(supportedVersions)) return result;
  const common = supportedVersions.filter((v) => typeof v === 'string' && link.carries(v));
  return { ...result, supportedVersions: common };
}

// The result of a subscription with the id that its client gave it.
function renamed({ exchange }: RelayedRequest, result: JsonObject): JsonObject {
  const meta = isObject(result._meta) ? result._meta : {};
  if (!Object.hasOwn(meta, META_KEYS.subscriptionId)) return result;
  return { ...result, _meta: { ...meta, [META_KEYS.subscriptionId]: exchange.id } };
}

const legacyRejections: ReadonlyMap<number, RejectionReason> = new Map([[OVERLOADED, 'overloaded']]);

/** How a bridge handles the revisions with a handshake. */
export const legacyPassing: PassingEra = /* @__PURE__ */ passingEra({
  takesQuestions: true,
  sendsHeaderParams: false,
  failure: (exchange, error) => relayedError(exchange, error, legacyRejections),
  // Closing a lane does not cancel its request in this era.
  laneClosed: () => undefined,
  check({ client }) {
    if (client.connection.traits.idScope === 'lane')
      throw new RpcError(INVALID_REQUEST, 'this bridge needs a session for revisions with a handshake');
  },
  outgoing({ client }, method, params) {
    const { clientReplies } = client.connection.traits;
    if (method !== 'initialize' || clientReplies || !isObject(params?.capabilities)) return params;
    const { sampling: _model, roots: _roots, elicitation: _forms, ...rest } = params.capabilities;
    return { ...params, capabilities: rest };
  },
  sendOptions: ({ version }) => (version === undefined ? undefined : { version }),
  taken: (link, call, result) =>
    call.exchange.method === 'initialize' ? opened(link, call, result) : result,
  cancel({ server, version }, { id, lane, method }, reason) {
    if (method === 'initialize') return;
    const sendOptions = {
      ...(lane === undefined ? {} : { lane }),
      ...(version === undefined ? {} : { version }),
    };
    void server.writer.send(notification('notifications/cancelled', { requestId: id, reason }), sendOptions);
    if (lane !== undefined) server.connection.endLane(lane);
  },
});

function opened(link: BridgeLink, { exchange }: RelayedRequest, result: JsonObject): JsonObject {
  const { protocolVersion, capabilities } = result;
  if (typeof protocolVersion !== 'string' || !isObject(capabilities)) return result;
  link.version = protocolVersion;
  exchange.opens = true;
  return link.client.connection.traits.serverInitiates
    ? result
    : { ...result, capabilities: withoutServerInitiated(capabilities) };
}
