import { RxmcpError } from '../../base/errors.js';
import { PreparedResult } from '../../contract/offer.js';
import type { ExchangeEra } from '../../peer/exchange-contract.js';
import { notification } from '../../peer/writer.js';
import type { SessionEra } from '../dialled.js';
import { bodyOf } from '../failure.js';
import type { OwnMethod, ServedEra } from '../served.js';
import { ask, step, request, withdraw } from './ask.js';
import { cancelCall, laneClosed } from './cancel.js';
import { claim, failure, readResult, outgoing, result, wantsLog } from './codec.js';
import { endFeeds, feed, setLevel, subscribe, unsubscribe } from './feed.js';
import { has, hasBatches, hasProgressText, isPlain, mayAsk } from './methods.js';
import { initialize, ping } from './open.js';
import { projectAnswer } from './projection/project.js';

export { takesBatch } from './methods.js';
export {
  initializeSession as greet,
  sendInitialized as greeted,
  isAcceptedByLegacy,
  startsNextSession,
} from './open.js';

/** The revisions with a handshake, as a server uses them. */
export const legacyServed: ServedEra = {
  id: 'legacy',
  own: new Map<string, OwnMethod>([
    ['initialize', initialize],
    ['ping', ping],
    ['resources/subscribe', subscribe],
    ['resources/unsubscribe', unsubscribe],
    ['logging/setLevel', setLevel],
  ]),
  claim,
  has,
  prepare: undefined,
  result,
  failure,
  wantsLog,
  hasProgressText: ({ version }) => hasProgressText(version),
  ask,
  request,
  step,
  withdraw,
  laneClosed,
  endFeeds,
};

/** The revisions with a handshake, as a client uses them. */
export const legacySession: SessionEra = {
  id: 'legacy',
  takesRequests: true,
  allowsRequest: ({ version }, method) => mayAsk(version, method),
  takesBatch: ({ version }, entries) => hasBatches(version) && isPlain(entries),
  outgoing,
  requestOptions: () => undefined,
  sendsHeaderParams: false,
  readResult,
  cancel: (session, call, reason) => cancelCall(session.peer, call, reason),
  accepts: () => true,
  feed,
  setLogLevel: (session, level, done) => session.sendOwn('logging/setLevel', { level }, done),
  rootsChanged: (session) => void session.peer.writer.send(notification('notifications/roots/list_changed')),
};

/** How a client responds to requests of servers of this era. */
export const clientAnswers: ExchangeEra = {
  result: ({ id, method, version }, value) => ({
    jsonrpc: '2.0',
    id,
    result: projectAnswer(method, value instanceof PreparedResult ? value.value : value, version),
  }),
  failure: (exchange, error) => ({
    out: { jsonrpc: '2.0', id: exchange.id, error: bodyOf(exchange, error) },
  }),
  hasProgressText: ({ version }) => hasProgressText(version),
  ask: (_exchange, _key, { method }) =>
    Promise.reject(new RxmcpError('ASK_UNAVAILABLE', `a client cannot ask "${method}"`)),
  request: (_exchange, method) =>
    Promise.reject(new RxmcpError('ASK_UNAVAILABLE', `a client sends "${method}" through its remote`)),
  step,
  laneClosed: () => undefined,
};
