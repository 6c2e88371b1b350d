import type { JsonObject } from '@rxmcp/jsonrpc';
import { EncodedMessage } from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import { afterMicrotasks, now } from '../base/clock.js';
import { RxmcpError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import type { Caller } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import { tearDown } from '../contract/faults.js';
import type { ListName, Offer } from '../contract/offer.js';
import type { Change } from '../eras/served.js';
import { notFoundError } from '../interceptors/authorize/requested-item.js';
import type { ListViews } from './list-views.js';

interface Due {
  readonly change: Change;
  readonly listeners: ReadonlySet<(change: Change) => void>;
  readonly listener: (change: Change) => void;
}

/** So long changes are told without a pause, in milliseconds. */
const maxTellMs = 10;

type Watchable = Offer & Required<Pick<Offer, 'watch'>>;

interface Watched {
  readonly listeners: Set<(change: Change) => void>;
  readonly stop: () => void;
}

/** Where changes of what is offered meet those who follow them. */
export class Hub {
  /** Everybody who hears of changed lists. */
  readonly listListeners = new Set<(change: Change) => void>();
  private readonly dirty = new Map<string, { change: Change; to: Set<(change: Change) => void> }>();
  private readonly watched = new Map<string, Watched>();
  private scheduled = false;

  /**
   * @param views - what each caller sees of the lists; undefined = all see the same
   * @param fault - hears once of a change that could not be told to somebody, and of watches that fail to end
   */
  constructor(
    private readonly offers: readonly Offer[],
    private readonly views: ListViews | undefined = undefined,
    private readonly fault: (fault: Fault) => void = () => undefined,
  ) {}

  /** A list changed; many calls in one tick make one notice. */
  changed(list: ListName): void {
    this.mark(listChange(list), this.listListeners);
  }

  /** Hears of changes of these lists, as far as the caller sees them, until the returned function is called. */
  follow(lists: ReadonlySet<ListName>, caller: Caller, listener: (change: Change) => void): () => void {
    const heard = this.views === undefined ? listener : this.views.only(caller, lists, listener);
    const own = (change: Change): void => {
      if (change.list !== undefined && lists.has(change.list)) heard(change);
    };
    this.listListeners.add(own);
    return () => void this.listListeners.delete(own);
  }

  /**
   * Follows a resource for one caller: one watch of the offer for all listeners of the same uri and principal.
   * Throws what the offer says about a uri it does not have.
   */
  watch(uri: string, caller: Caller, listener: (change: Change) => void): () => void {
    const key = `${caller.principal === undefined ? '' : `p${caller.principal}`}\u0000${uri}`;
    let watched = this.watched.get(key);
    if (watched === undefined) {
      const listeners = new Set<(change: Change) => void>();
      const stop = this.watchable().watch(uri, caller, (changed) =>
        this.mark(resourceChange(changed), listeners, key),
      );
      watched = { listeners, stop };
      this.watched.set(key, watched);
    }
    const { listeners, stop } = watched;
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.watched.get(key)?.listeners !== listeners) return;
      this.watched.delete(key);
      tearDown(stop, `the watch of ${quoted(uri)}`, { fault: this.fault });
    };
  }

  /** Throws what a watch of a uri that is not there throws, and nothing where that cannot be known. */
  watchNotFound(uri: string): void {
    const offer = this.watchable();
    if (offer.watchNotFound === undefined) throw notFoundError({ kind: 'resource', name: uri });
    offer.watchNotFound(uri);
  }

  private watchable(): Watchable {
    const offer = this.offers.find((o): o is Watchable => o.watch !== undefined);
    if (offer === undefined) throw new RxmcpError('INVALID_PARAMS', 'no resource can be watched here');
    return offer;
  }

  private mark(change: Change, to: Set<(change: Change) => void>, scope = ''): void {
    const key = `${scope}\u0000${change.key}`;
    // Of a watch that was left and taken again in this tick, the present listeners are meant.
    if (this.dirty.get(key)?.to !== to) this.dirty.set(key, { change, to });
    if (this.scheduled) return;
    this.scheduled = true;
    afterMicrotasks(() => {
      this.scheduled = false;
      const due = [...this.dirty.values()];
      this.dirty.clear();
      this.tell(
        due.flatMap(({ change: one, to: listeners }) =>
          [...listeners].map((listener) => ({ change: one, listeners, listener })),
        ),
      );
    });
  }

  // What each caller sees of a long list takes its time: requests are served in between.
  private tell(due: readonly Due[], from = 0, failed = new Set<Change>()): void {
    const until = now() + maxTellMs;
    for (let at = from; at < due.length; at += 1) {
      if (at > from && now() > until) return afterMicrotasks(() => this.tell(due, at, failed));
      const { change, listeners, listener } = due[at] as Due;
      if (!listeners.has(listener)) continue;
      try {
        listener(change);
      } catch (cause) {
        // The others are told all the same; a fault for each who is not would bury all else.
        if (!failed.has(change)) this.untold(change, cause);
        failed.add(change);
      }
    }
  }

  private untold({ list, uri }: Change, cause: unknown): void {
    const what = list === undefined ? `resource ${quoted(uri ?? '')}` : `the list of ${list}`;
    this.fault({ code: 'NOTIFICATION_FAILED', message: `a change of ${what} could not be sent`, cause });
  }
}

const lists = new Map<ListName, Change>();

function listChange(list: ListName): Change {
  let change = lists.get(list);
  if (change === undefined) {
    change = { key: list, list, ...texts(`notifications/${list}/list_changed`) };
    lists.set(list, change);
  }
  return change;
}

function resourceChange(uri: string): Change {
  return { key: `uri ${uri}`, uri, ...texts('notifications/resources/updated', { uri }) };
}

// The text is made once per event; a subscription's id is spliced into it.
function texts(method: string, params?: JsonObject): Pick<Change, 'plain' | 'tagged'> {
  const head = `{"jsonrpc":"2.0","method":${JSON.stringify(method)}`;
  const members = params === undefined ? '' : JSON.stringify(params).slice(1, -1);
  const plain = new EncodedMessage(members === '' ? `${head}}` : `${head},"params":{${members}}}`);
  const before = `${head},"params":{${members === '' ? '' : `${members},`}"_meta":{"${META_KEYS.subscriptionId}":`;
  return {
    plain,
    tagged: (subscription) => new EncodedMessage(`${before}${JSON.stringify(subscription)}}}}`),
  };
}
