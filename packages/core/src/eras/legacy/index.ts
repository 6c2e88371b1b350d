import type { OwnMethod, ServedEra, SessionEra } from '../era.js';
import { notification } from '../../peer/writer.js';
import { ask, once, request, withdraw } from './ask.js';
import { cancelCall, laneClosed } from './cancel.js';
import { claim, failure, outcome, outgoing, result, wantsLog } from './codec.js';
import { endFeeds, feed, setLevel, subscribe, unsubscribe } from './feed.js';
import { isPlain } from './batch.js';
import { has, hasBatches, hasProgressText, mayAsk } from './methods.js';
import { initialize, ping } from './open.js';

export { takesBatch } from './batch.js';
export { greet, greeted, heardByLegacy } from './open.js';

/** The revisions with a handshake, seen from a server. */
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
  once,
  withdraw,
  laneClosed,
  endFeeds,
};

/** The revisions with a handshake, seen from a client. */
export const legacySession: SessionEra = {
  id: 'legacy',
  takesRequests: true,
  lets: ({ version }, method) => mayAsk(version, method),
  takesBatch: ({ version }, entries) => hasBatches(version) && isPlain(entries),
  outgoing,
  envelope: () => undefined,
  mirrors: false,
  outcome,
  cancel: (session, call, reason) => cancelCall(session.peer, call, reason),
  accepts: () => true,
  feed,
  setLogLevel: (session, level, done) => session.ask('logging/setLevel', { level }, done),
  rootsChanged: (session) => void session.peer.writer.send(notification('notifications/roots/list_changed')),
};
