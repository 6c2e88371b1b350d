import { OVERLOADED } from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import type { RequestId, JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../base/checks.js';
import { markNotExecuted } from '../../base/error-marks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import type { ListName } from '../../contract/offer.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import { inTurns } from '../../peer/in-turns.js';
import { callerName, limitsOfCaller } from '../../peer/limits.js';
import { holderOfRequest } from '../../peer/memory.js';
import { notification } from '../../peer/writer.js';
import { declaredSizeProblem } from '../declared-size.js';
import type { Change, Listen, OwnMethod, EraConnection } from '../served.js';

/** The member of the subscription filter for each list. */
export const filterMembers: ReadonlyMap<Exclude<ListName, 'roots'>, string> = new Map([
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
]);

/**
 * Handles `subscriptions/listen`: an acknowledgement, then notifications with the id of the subscription.
 * @see Spec 2026-07-28 basic/patterns/subscriptions
 */
export const listen: OwnMethod = {
  handle(connection: EraConnection, exchange: PendingExchange): void {
    const { notifications: filter } = exchange.params;
    if (!isObject(filter)) {
      exchange.failed(
        new RxmcpError('INVALID_PARAMS', '"subscriptions/listen": "notifications" must be an object'),
      );
      return;
    }
    const { capabilities, info } = exchange.caller;
    const problem =
      declaredSizeProblem('clientCapabilities', capabilities) ?? declaredSizeProblem('clientInfo', info);
    if (problem !== undefined)
      return exchange.failed(new RxmcpError('INVALID_PARAMS', `"subscriptions/listen": ${problem}`));
    if (connection.draining) return exchange.overloaded();
    if (!canSubscribe(connection, exchange)) {
      const data = { retryable: true, retryAfterMs: 1_000 };
      exchange.failed(markNotExecuted(new RpcError(OVERLOADED, 'too many subscriptions', data)));
      return;
    }
    const { resourceSubscriptions: asked } = filter;
    const follows = Array.isArray(asked) && declared(connection, 'resources', 'subscribe');
    let uris: Set<string> | undefined;
    try {
      uris = follows ? connection.watches.admit(asked, exchange) : undefined;
    } catch (error) {
      exchange.failed(error);
      return;
    }
    open(connection, exchange, filter, uris);
    // It stays open for long, and nothing reads them again.
    exchange.params = {};
    exchange.claim = { ...exchange.claim, meta: {} };
  },
};

/** Ends every subscription with its result and, on a shared pipe, the cancellation that the specification requires. */
export function endFeeds(connection: EraConnection): void {
  for (const { exchange } of [...(connection.listens ?? [])]) {
    const { id, lane } = exchange;
    exchange.done({ _meta: { [META_KEYS.subscriptionId]: id } });
    if (lane === undefined)
      void connection.writer.send(notification('notifications/cancelled', { requestId: id }));
    else connection.connection.endLane(lane);
  }
}

function open(
  connection: EraConnection,
  exchange: PendingExchange,
  filter: JsonObject,
  uris: Set<string> | undefined,
): void {
  const { id, lane } = exchange;
  const { hub } = connection.core;
  const keys = `listen ${JSON.stringify(id)} `;
  const stops: (() => void)[] = [];
  const honoured: JsonObject = {};
  let isAcknowledged = false;
  const send = (change: Change): void => {
    // The acknowledgement comes first; the client reads after it.
    if (isAcknowledged) connection.notices.send(keys + change.key, change.tagged(id), lane);
  };
  const lists = new Set<ListName>();
  for (const [list, word] of filterMembers) {
    if (filter[word] !== true || !declared(connection, list, 'listChanged')) continue;
    lists.add(list);
    honoured[word] = true;
  }

  const entry: Listen = { exchange };
  (connection.listens ??= new Set()).add(entry);
  exchange.onEnd = () => {
    connection.listens?.delete(entry);
    connection.notices.forget(keys, lane);
    for (const stop of stops) stop();
    connection.core.changed();
  };
  const finish = (): void => {
    if (lists.size > 0) stops.push(hub.follow(lists, exchange.caller, send));
    acknowledge(exchange, id, honoured);
    isAcknowledged = true;
    connection.core.changed();
  };
  if (uris === undefined) return finish();
  // Those that are still to come when the subscription ends.
  stops.push(() => connection.watches.release(uris, exchange));
  const watched: string[] = [];
  honoured.resourceSubscriptions = watched;
  inTurns(holderOfRequest(exchange), watchAll(uris)).catch((error: unknown) => exchange.failed(error));

  function* watchAll(all: Set<string>): Generator<void, void> {
    for (const uri of all) {
      if (!exchange.isOpen) return;
      all.delete(uri);
      try {
        stops.push(connection.watches.watch(uri, exchange, send));
        watched.push(uri);
      } catch {
        // A URI that cannot be watched is left out of the acknowledgement.
      }
      yield;
    }
    if (exchange.isOpen) finish();
  }
}

function declared(connection: EraConnection, capability: string, flag: string): boolean {
  return (connection.core.capabilities[capability] as JsonObject | undefined)?.[flag] === true;
}

function acknowledge(exchange: PendingExchange, id: RequestId, honoured: JsonObject): void {
  exchange.send(
    notification('notifications/subscriptions/acknowledged', {
      notifications: honoured,
      _meta: { [META_KEYS.subscriptionId]: id },
    }),
  );
}

/** Whether this caller may open one more subscription on this connection. */
function canSubscribe({ listens, limits, shares }: EraConnection, asking: PendingExchange): boolean {
  if (listens === undefined) return limits.maxSubscriptions > 0;
  if (listens.size >= limits.maxSubscriptions) return false;
  if (shares === undefined) return true;
  const { principal } = asking.caller;
  const name = callerName(asking);
  let [own, anonymous] = [0, 0];
  for (const { exchange } of listens) {
    if (callerName(exchange) === name) own += 1;
    if (exchange.caller.principal === undefined) anonymous += 1;
  }
  if (principal === undefined && anonymous >= shares.allAnonymous.maxSubscriptions) return false;
  return own < limitsOfCaller(shares, name, principal).maxSubscriptions;
}
