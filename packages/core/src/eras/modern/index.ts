import type { SessionEra } from '../dialled.js';
import type { OwnMethod, ServedEra } from '../served.js';
import { ask, step, request, resume, round } from './ask.js';
import { cancelCall, laneClosed } from './cancel.js';
import { claim, failure, outgoing, result, wantsLog } from './codec.js';
import { accepts, feed } from './feed.js';
import { endFeeds, listen } from './listen.js';
import { has } from './methods.js';
import { checkParams, requestOptions } from './header-checks.js';
import { discover } from './open.js';
import { readResult } from './read-result.js';

export { discoverServer as discoverServer } from './open.js';

/** The revisions without a handshake, as a server uses them. */
export const modernServed: ServedEra = {
  id: 'modern',
  own: new Map<string, OwnMethod>([
    ['server/discover', discover],
    ['subscriptions/listen', listen],
  ]),
  claim,
  has,
  prepare(connection, exchange) {
    const checked = checkParams(connection, exchange);
    return checked === undefined
      ? resume(connection, exchange)
      : checked.then(() => resume(connection, exchange));
  },
  result,
  failure,
  wantsLog,
  ask,
  request,
  round,
  step,
  // A server of this era sends no requests.
  withdraw: () => undefined,
  laneClosed,
  endFeeds,
};

/** The revisions without a handshake, as a client uses them. */
export const modernSession: SessionEra = {
  id: 'modern',
  takesRequests: false,
  allowsRequest: () => false,
  takesBatch: () => false,
  outgoing: (session, _method, params, extra) => outgoing(session, params, extra),
  requestOptions,
  sendsHeaderParams: true,
  readResult,
  cancel: (session, call, reason) => cancelCall(session.peer, call, reason),
  accepts,
  feed,
  setLogLevel(session, level, done) {
    // Every request names the level from now on, so that there is nothing to wait for.
    session.logLevel = level;
    let open = true;
    queueMicrotask(() => {
      if (open) done();
    });
    return () => {
      open = false;
    };
  },
  rootsChanged: () => undefined,
};
