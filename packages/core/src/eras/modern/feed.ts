import type { JsonObject } from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import { TransportError } from '@rxmcp/transport';
import { RxmcpError, RpcError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';
import type { DialledConnection, FeedEvents, SessionFeed } from '../dialled.js';
import type { Topic } from '../../contract/remote-link.js';
import { keyOf } from '../../contract/remote-link.js';
import type { PendingCall } from '../../peer/calls.js';
import { cancelCall } from './cancel.js';
import { outgoing } from './codec.js';
import { filterMembers } from './listen.js';
import { requestOptions } from './header-checks.js';

/**
 * Follows topics of a server with one subscription for all. When the topics change, it opens the next subscription
 * first and ends the old one when the next is acknowledged, so that no change is missed. If the next one fails, the
 * old one continues.
 */
export function feed(session: DialledConnection, events: FeedEvents): SessionFeed {
  return new ModernFeed(session, events);
}

/** Whether a notification has the id of an acknowledged subscription. */
export function accepts(session: DialledConnection, params: JsonObject): boolean {
  return session.subscriptions.has((params._meta as JsonObject | undefined)?.[META_KEYS.subscriptionId]);
}

interface Subscription {
  readonly call: PendingCall;
  readonly topics: readonly Topic[];
  readonly known: readonly Topic[];
}

class ModernFeed implements SessionFeed {
  #current: Subscription | undefined;
  #next: Subscription | undefined;
  #wanted: readonly Topic[] = [];

  constructor(
    private readonly session: DialledConnection,
    private readonly events: FeedEvents,
  ) {}

  follow(topics: readonly Topic[]): void {
    if (topics.length === 0) return this.close();
    const present = this.#next ?? this.#current;
    if (present !== undefined && sameSet(present.topics, topics)) {
      this.#wanted = present.topics;
      return;
    }
    this.#wanted = topics;
    if (this.#next !== undefined) return; // acknowledged() compares the topics again.
    this.#open();
  }

  acknowledged(params: JsonObject): void {
    const next = this.#next;
    const id = (params._meta as JsonObject | undefined)?.[META_KEYS.subscriptionId];
    if (next === undefined || next.call.id !== id) return;
    this.session.peer.calls.unlimited(next.call);
    this.session.subscriptions.add(id);
    this.#end(this.#current);
    const honours = honouredBy((params.notifications ?? {}) as JsonObject);
    const known = new Set(next.known.map(keyOf));
    // A rejected resource is not followed until someone follows it again.
    const topics = next.topics.filter((topic) => 'list' in topic || honours(topic));
    this.#current = topics.length === next.topics.length ? next : { ...next, topics };
    this.#next = undefined;
    const opened: Topic[] = [];
    for (const topic of next.topics) {
      if (!honours(topic)) this.events.rejected(topic, rejection(topic));
      else if (!known.has(keyOf(topic))) opened.push(topic);
    }
    this.events.opened(opened);
    if (this.#wanted !== next.topics) this.follow(this.#wanted);
  }

  cancelled(requestId: unknown): void {
    const subscription = [this.#next, this.#current].find((s) => s !== undefined && s.call.id === requestId);
    if (subscription === undefined || !this.session.peer.calls.drop(subscription.call)) return;
    this.#over(subscription, undefined);
  }

  close(): void {
    this.#wanted = [];
    this.#end(this.#next);
    this.#end(this.#current);
    this.#next = undefined;
    this.#current = undefined;
  }

  #open(): void {
    const topics = this.#wanted;
    const { session } = this;
    const call = session.peer.calls.start(
      'subscriptions/listen',
      (id) => outgoing(session, { notifications: filterOf(topics) }, { id }),
      session.definition.timeouts,
      {
        result: () => this.#over(subscription, undefined),
        failed: (error) => this.#over(subscription, error),
      },
      requestOptions(session, 'subscriptions/listen', undefined, undefined),
    );
    const subscription: Subscription = { call, topics, known: this.#current?.topics ?? [] };
    this.#next = subscription;
  }

  // The server ended a subscription, or the connection closed.
  #over(subscription: Subscription, error: Error | undefined): void {
    this.session.subscriptions.delete(subscription.call.id);
    if (subscription === this.#next && this.#current !== undefined)
      return this.#nextFailed(subscription, error);
    const live = subscription === this.#current || subscription === this.#next;
    if (!live) return;
    this.close();
    if (error === undefined) this.events.ended();
    else this.events.lost(error);
  }

  // The next subscription failed; the current one is not affected.
  #nextFailed({ topics, known }: Subscription, error: Error | undefined): void {
    this.#next = undefined;
    const before = new Set(known.map(keyOf));
    const added = topics.filter((topic) => !before.has(keyOf(topic)));
    // A message that is too large, here or for the server, stays so.
    const isFinal = (RpcError.is(error) || TransportError.is(error)) && !error.retryable;
    if (!isFinal) return this.events.delayed(added, error);
    this.events.failed(added, error);
    // What failed is removed from the topics, which are followed again. If nothing was added, only other topics are
    // worth another try.
    if (added.length === 0 && this.#wanted !== topics) this.follow(this.#wanted);
  }

  #end(subscription: Subscription | undefined): void {
    if (subscription === undefined) return;
    const { peer, subscriptions } = this.session;
    subscriptions.delete(subscription.call.id);
    if (peer.calls.drop(subscription.call)) cancelCall(peer, subscription.call, 'no longer watched');
  }
}

function filterOf(topics: readonly Topic[]): JsonObject {
  const filter: JsonObject = {};
  const uris: string[] = [];
  for (const topic of topics) {
    if ('uri' in topic) uris.push(topic.uri);
    else filter[filterMembers.get(topic.list) ?? topic.list] = true;
  }
  if (uris.length > 0) filter.resourceSubscriptions = uris;
  return filter;
}

function honouredBy(honoured: JsonObject): (topic: Topic) => boolean {
  const { resourceSubscriptions } = honoured;
  const uris = new Set(Array.isArray(resourceSubscriptions) ? resourceSubscriptions : []);
  return (topic) =>
    'uri' in topic ? uris.has(topic.uri) : honoured[filterMembers.get(topic.list) ?? topic.list] === true;
}

function sameSet(a: readonly Topic[], b: readonly Topic[]): boolean {
  if (a.length !== b.length) return false;
  const keys = new Set(b.map(keyOf));
  return a.every((topic) => keys.has(keyOf(topic)));
}

function rejection(topic: Topic): RxmcpError {
  const what = 'uri' in topic ? `resource ${quoted(topic.uri)}` : `list of ${topic.list}`;
  return new RxmcpError('CAPABILITY_NOT_SUPPORTED', `the server rejected the subscription to the ${what}`, {
    outcome: 'answered',
  });
}
