import type { JsonObject } from '@rxmcp/jsonrpc';
import { EncodedMessage } from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import { MemoryBudget } from '@rxmcp/transport';
import { HeldBytes } from '@rxmcp/transport/internal';
import { afterMicrotasks, now } from '../base/clock.js';
import { RxmcpError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import type { Caller } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import { tearDown } from '../contract/faults.js';
import type { ListName, Offer } from '../contract/offer.js';
import type { Change } from '../eras/served.js';
import { budgetUsedUpError } from '../peer/memory.js';
import { notFoundError } from '../interceptors/authorize/requested-item.js';
import type { ListViews } from './list-views.js';

interface Due {
  readonly change: Change;
  readonly listeners: ReadonlySet<(change: Change) => void>;
  readonly listener: (change: Change) => void;
}

/** Longest time for notifying subscribers without a pause, in milliseconds. */
const maxNotifyMs = 10;
/** The part of the memory of a server that watches may keep, one caller half of it: one in so many bytes. */
const keptPart = 4;

type Watchable = Offer & Required<Pick<Offer, 'watch'>>;

interface Watched {
  readonly listeners: Set<(change: Change) => void>;
  readonly stop: () => void;
}

/** Notifies subscribers of changed lists and resources. */
export class Hub {
  /** The listeners of changed lists. */
  readonly listListeners = new Set<(change: Change) => void>();
  readonly dirty = new Map<string, { change: Change; to: Set<(change: Change) => void> }>();
  readonly watched = new Map<string, Watched>();
  /** What watches keep: at most a quarter of the memory, since they keep it for long and the calls of their callers need room. */
  readonly #kept: MemoryBudget;
  #scheduled = false;

  /**
   * @param memory - what the values that watches keep are charged to
   * @param views - what each caller sees of the lists; undefined if all see the same
   * @param fault - receives one fault per change that could not be sent, and errors of watches that end
   */
  constructor(
    private readonly offers: readonly Offer[],
    memory: MemoryBudget,
    private readonly views: ListViews | undefined = undefined,
    private readonly fault: (fault: Fault) => void = () => undefined,
  ) {
    this.#kept = new MemoryBudget({ maxBytes: memory.maxBytes / keptPart, parent: memory });
  }

  /** Announces that a list changed. Many calls in one tick cause one notification. */
  changed(list: ListName): void {
    this.#mark(listChange(list), this.listListeners);
  }

  /** Listens to changes of these lists, as far as the caller sees them, until the returned function is called. */
  follow(lists: ReadonlySet<ListName>, caller: Caller, listener: (change: Change) => void): () => void {
    const notify = this.views === undefined ? listener : this.views.only(caller, lists, listener);
    const own = (change: Change): void => {
      if (change.list !== undefined && lists.has(change.list)) notify(change);
    };
    this.listListeners.add(own);
    return () => void this.listListeners.delete(own);
  }

  /**
   * Watches a resource for one caller. All listeners with the same URI, principal and holder share one watch of the offer.
   * Throws the error of the offer for a URI that it does not have, and -31001 where its value is more than the caller may keep.
   * @param holder - the name under which the caller is charged for what the watch keeps
   */
  watch(uri: string, caller: Caller, listener: (change: Change) => void, holder: string): () => void {
    const key = JSON.stringify([caller.principal, holder, uri]);
    let watched = this.watched.get(key);
    if (watched === undefined) {
      const listeners = new Set<(change: Change) => void>();
      const held = new HeldBytes(this.#kept, holder);
      const changed = (uriOfChange: string): void => this.#mark(resourceChange(uriOfChange), listeners, key);
      let isHeld = true;
      const end = this.#watchable().watch(uri, caller, changed, (bytes) => (isHeld = held.resize(bytes)));
      const stop = (): void => {
        held.resize(0);
        end();
      };
      // Its source keeps the value as well.
      if (!isHeld) {
        stop();
        throw budgetUsedUpError();
      }
      this.watched.set(key, (watched = { listeners, stop }));
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

  /** Throws what watching a URI that does not exist throws, and nothing if that cannot be known. */
  watchNotFound(uri: string): void {
    const offer = this.#watchable();
    if (offer.watchNotFound === undefined) throw notFoundError({ kind: 'resource', name: uri });
    offer.watchNotFound(uri);
  }

  #watchable(): Watchable {
    const offer = this.offers.find((o): o is Watchable => o.watch !== undefined);
    if (offer === undefined) throw new RxmcpError('INVALID_PARAMS', 'no resource can be watched here');
    return offer;
  }

  #mark(change: Change, to: Set<(change: Change) => void>, scope = ''): void {
    const key = `${scope}\u0000${change.key}`;
    // If a watch ended and began again in this tick, its current listeners are notified.
    if (this.dirty.get(key)?.to !== to) this.dirty.set(key, { change, to });
    if (this.#scheduled) return;
    this.#scheduled = true;
    afterMicrotasks(() => {
      this.#scheduled = false;
      const due = [...this.dirty.values()];
      this.dirty.clear();
      this.#notifyAll(
        due.flatMap(({ change: one, to: listeners }) =>
          [...listeners].map((listener) => ({ change: one, listeners, listener })),
        ),
      );
    });
  }

  // Comparing long lists per caller takes time. Requests are served in between.
  #notifyAll(due: readonly Due[], from = 0, failed = new Set<Change>()): void {
    const until = now() + maxNotifyMs;
    for (let at = from; at < due.length; at += 1) {
      if (at > from && now() > until) return afterMicrotasks(() => this.#notifyAll(due, at, failed));
      const { change, listeners, listener } = due[at] as Due;
      if (!listeners.has(listener)) continue;
      try {
        listener(change);
      } catch (cause) {
        // The other listeners are still notified. One fault per change is enough.
        if (!failed.has(change)) this.#reportUnsent(change, cause);
        failed.add(change);
      }
    }
  }

  #reportUnsent({ list, uri }: Change, cause: unknown): void {
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

// Encoded once per change; the id of a subscription is inserted.
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
