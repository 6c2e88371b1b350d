import { INVALID_PARAMS } from '@rxmcp/jsonrpc';
import { RxmcpError, RpcError } from '../../base/errors.js';
import { checkUriLength } from '../../base/key-length.js';
import { quoted } from '../../base/message-text.js';
import type { DialledConnection, FeedEvents, SessionFeed } from '../dialled.js';
import { logLevels } from '../../contract/report-items.js';
import type { LogLevel } from '../../contract/report-items.js';
import type { ListName } from '../../contract/offer.js';
import type { Topic } from '../../contract/remote-link.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import type { Change, LegacyState, OwnMethod, EraConnection } from '../served.js';

/** Sends notifications of changed lists that the server declared with `listChanged`. */
export function followLists(connection: EraConnection, state: LegacyState): void {
  const { core } = connection;
  const isLive = (capability: unknown): boolean =>
    (capability as { listChanged?: unknown } | undefined)?.listChanged === true;
  const live = new Set(names.filter((list) => isLive(core.capabilities[list])));
  if (live.size === 0) return;
  state.stopLists = core.hub.follow(live, state.caller, (change) => send(connection, change));
}

const names: readonly ListName[] = ['tools', 'prompts', 'resources'];

/**
 * Handles `resources/subscribe`. Repeated requests for one URI share a watch.
 * @see Spec 2025-11-25 server/resources#subscriptions
 */
export const subscribe: OwnMethod = {
  handle(connection: EraConnection, exchange: PendingExchange): void {
    const found = asked(connection, exchange);
    if (found === undefined) return;
    const { state, uri } = found;
    try {
      if (state.watches?.has(uri) !== true) {
        checkUriLength(quoted(exchange.method), uri);
        connection.watches.admit([uri], exchange);
        const stop = connection.watches.watch(uri, exchange, (change) => send(connection, change));
        (state.watches ??= new Map()).set(uri, stop);
      }
      exchange.done({});
      connection.core.changed();
    } catch (error) {
      exchange.failed(error);
    }
  },
};

/** Handles `resources/unsubscribe`. A URI without a subscription is not an error. */
export const unsubscribe: OwnMethod = {
  handle(connection: EraConnection, exchange: PendingExchange): void {
    const found = asked(connection, exchange);
    if (found === undefined) return;
    const { state, uri } = found;
    const stop = state.watches?.get(uri);
    state.watches?.delete(uri);
    connection.notices.drop(`uri ${uri}`, undefined);
    exchange.done({});
    stop?.();
    connection.core.changed();
  },
};

/** Handles `logging/setLevel` for the connection. */
export const setLevel: OwnMethod = {
  handle(connection: EraConnection, exchange: PendingExchange): void {
    if (connection.core.capabilities.logging === undefined) return exchange.unknownMethod();
    const { level } = exchange.params;
    if (!logLevels.includes(level as LogLevel)) {
      const what = typeof level === 'string' ? quoted(level) : 'that is not a string';
      return exchange.failed(new RpcError(INVALID_PARAMS, `"logging/setLevel": unknown level ${what}`));
    }
    if (connection.legacy !== undefined) connection.legacy.logLevel = level as LogLevel;
    exchange.done({});
  },
};

/** Ends every subscription of a connection. */
export function endFeeds(connection: EraConnection): void {
  const state = connection.legacy;
  if (state === undefined) return;
  state.stopLists?.();
  const stops = [...(state.watches?.values() ?? [])];
  state.watches = undefined;
  for (const stop of stops) stop();
}

/** Follows topics of a server: list notifications need no request, resources one request each. */
export function feed(session: DialledConnection, events: FeedEvents): SessionFeed {
  let followed = new Set<string>();
  let lists = new Set<string>();
  const drop = (uri: string): void => {
    session.sendAndForget('resources/unsubscribe', { uri });
  };
  return {
    follow(topics: readonly Topic[]): void {
      const uris = new Set<string>();
      const listNames = new Set<string>();
      for (const topic of topics) {
        if ('uri' in topic) uris.add(topic.uri);
        else listNames.add(topic.list);
      }
      const fresh = topics.filter((t) => 'list' in t && !lists.has(t.list));
      lists = listNames;
      if (fresh.length > 0) queueMicrotask(() => events.opened(fresh));
      const before = followed;
      followed = uris;
      for (const uri of before) if (!uris.has(uri)) drop(uri);
      for (const uri of uris) {
        if (before.has(uri)) continue;
        session.sendOwn('resources/subscribe', { uri }, (error) => {
          if (!followed.has(uri)) return;
          if (error === undefined) events.opened([{ uri }]);
          else if (RpcError.is(error)) {
            followed.delete(uri);
            events.rejected({ uri }, error);
          } else {
            // Follows everything again. The repeated requests change nothing at the server.
            followed = new Set();
            lists = new Set();
            events.lost(error);
          }
        });
      }
    },
    acknowledged: () => undefined,
    cancelled: () => undefined,
    close(): void {
      for (const uri of followed) drop(uri);
      followed = new Set();
      lists = new Set();
    },
  };
}

function send(connection: EraConnection, change: Change): void {
  connection.notices.send(change.key, change.plain, undefined);
}

function asked(
  connection: EraConnection,
  exchange: PendingExchange,
): { state: LegacyState; uri: string } | undefined {
  const state = connection.legacy;
  const capability = connection.core.capabilities.resources as { subscribe?: unknown } | undefined;
  if (state === undefined || capability?.subscribe !== true || !connection.traits.serverInitiates) {
    exchange.unknownMethod();
    return undefined;
  }
  const { uri } = exchange.params;
  if (typeof uri !== 'string') {
    exchange.failed(new RxmcpError('INVALID_PARAMS', `"${exchange.method}": "uri" must be a string`));
    return undefined;
  }
  return { state, uri };
}
