import type { JsonObject } from '@rxmcp/jsonrpc';
import { INVALID_REQUEST, OVERLOADED } from '@rxmcp/jsonrpc';
import type { Refusal } from '@rxmcp/transport';
import { withoutPush } from '../../capabilities.js';
import { RpcError } from '../../errors.js';
import { isObject } from '../../is-object.js';
import { notification } from '../../peer/writer.js';
import type { Link } from '../link.js';
import type { PassingEra } from './passing-era.js';
import { passedOn, passingEra } from './passing-era.js';
import type { RelayedCall } from '../relayed-call.js';

const refusals: ReadonlyMap<number, Refusal> = new Map([[OVERLOADED, 'overload']]);

/** The revisions with a handshake, on a bridge. */
export const legacyPassing: PassingEra = /* @__PURE__ */ passingEra({
  id: 'legacy',
  takesQuestions: true,
  mirrors: false,
  failure: (exchange, error) => passedOn(exchange, error, refusals),
  // Leaving is no cancel here.
  laneClosed: () => undefined,
  check({ front }) {
    if (front.connection.traits.idScope === 'lane')
      throw new RpcError(INVALID_REQUEST, 'this bridge needs a session for revisions with a handshake');
  },
  outgoing({ front }, method, params) {
    const { replies } = front.connection.traits;
    if (method !== 'initialize' || replies || !isObject(params?.capabilities)) return params;
    const { sampling: _model, roots: _roots, elicitation: _forms, ...rest } = params.capabilities;
    return { ...params, capabilities: rest };
  },
  beside: ({ version }) => (version === undefined ? undefined : { version }),
  taken: (link, call, result) =>
    call.exchange.method === 'initialize' ? opened(link, call, result) : result,
  cancel({ back, version }, { id, lane, method }, reason) {
    if (method === 'initialize') return;
    const beside = { ...(lane === undefined ? {} : { lane }), ...(version === undefined ? {} : { version }) };
    void back.writer.send(notification('notifications/cancelled', { requestId: id, reason }), beside);
    if (lane !== undefined) back.connection.endLane(lane);
  },
});

function opened(link: Link, { exchange }: RelayedCall, result: JsonObject): JsonObject {
  const { protocolVersion, capabilities } = result;
  if (typeof protocolVersion !== 'string' || !isObject(capabilities)) return result;
  link.version = protocolVersion;
  exchange.opens = true;
  return link.front.connection.traits.push ? result : { ...result, capabilities: withoutPush(capabilities) };
}
