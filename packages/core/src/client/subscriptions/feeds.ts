import { now, timer } from '../../base/clock.js';
import { RxmcpError } from '../../base/errors.js';
import type { Topic } from '../../contract/remote-link.js';
import { keyOf } from '../../contract/remote-link.js';
import type { FeedEvents } from '../../eras/dialled.js';
import type { Session } from '../sessions/session.js';
import { Topics } from './topics.js';
import type { Followed } from './topics.js';

/** Receives the changes of topics. */
export interface Follower {
  /** The server reports changes of the topic from now on. A value that was read before may be outdated. */
  opened(): void;
  changed(): void;
  /** The remote ended, or the server rejected the topic. There is no error if the remote ended in order. */
  ended(error: Error | undefined): void;
}

const stableAfterMs = 30_000;
/** How often in a row what was cut is tried again. */
export const maxReopens = 10;

/** The change subscriptions of one remote. Reopens them after they end and after a lost connection. */
export class Feeds {
  readonly #topics = new Topics<Follower>();
  readonly #endFollowers = new Set<Follower>();
  #session: Session | undefined;
  #scheduled = false;
  #reopening: ReturnType<typeof setTimeout> | undefined;
  #reopens = 0;
  /** Runs until topics that could not be added are tried again. */
  #retrying: ReturnType<typeof setTimeout> | undefined;
  #retries = 0;
  #openedAt = 0;
  readonly #open = new Set<string>();
  /** Lists whose changes the server does not announce. They are read once. */
  readonly #unannounced = new Set<string>();

  /**
   * @param onOpen - called with each topic that opens, before its followers
   * @param onStatus - called with the numbers of open and reopening topics when they change
   */
  constructor(
    private readonly onOpen: (topic: Topic) => void,
    private readonly onStatus: (open: number, reopening: number) => void,
  ) {}

  /** Follows topics until the returned function is called. Without topics it reports only the end of the remote. */
  follow(topics: readonly Topic[], follower: Follower): () => void {
    if (topics.length === 0) this.#endFollowers.add(follower);
    for (const topic of topics) {
      const key = keyOf(topic);
      const entry = this.#topics.add(topic, follower);
      if (this.#open.has(key) || this.#unannounced.has(key))
        queueMicrotask(() => entry.followers.has(follower) && follower.opened());
    }
    this.#schedule();
    return () => {
      this.#endFollowers.delete(follower);
      for (const topic of topics) {
        const key = keyOf(topic);
        const entry = this.#topics.get(key);
        if (entry === undefined || !entry.followers.delete(follower) || entry.followers.size > 0) continue;
        this.#topics.delete(key);
      }
      this.#schedule();
    };
  }

  /** Opens all followed topics on a new connection. */
  attach(session: Session): void {
    this.#session = session;
    this.#open.clear();
    this.#unannounced.clear();
    session.feed = session.era?.feed(session, this.#events(session));
    this.#schedule();
  }

  /** The connection is closed. Another one may follow. */
  detach(): void {
    this.#session = undefined;
    this.#open.clear();
    clearTimeout(this.#reopening);
    this.#reopening = undefined;
    this.#forgetRetries();
  }

  /** The remote ended. */
  end(error: Error | undefined): void {
    this.detach();
    const followers = new Set(this.#endFollowers);
    for (const entry of this.#topics.values())
      for (const follower of entry.followers) followers.add(follower);
    this.#topics.clear();
    this.#endFollowers.clear();
    for (const follower of followers) follower.ended(error);
  }

  /** Notifications were lost, so that everything may have changed. */
  missed(): void {
    for (const followed of this.#topics.values()) notify(followed);
  }

  /** A list changed. */
  listChanged(list: string): void {
    const followed = this.#topics.get(`list ${list}`);
    if (followed !== undefined) notify(followed);
  }

  /** A resource changed. Notifies the followers of this URI, else those of the longest followed URI above it. */
  updated(uri: string): void {
    const exact = this.#topics.get(`uri ${uri}`);
    if (exact !== undefined) return notify(exact);
    const above = this.#topics.above(uri);
    if (above !== undefined) notify(above);
  }

  #schedule(): void {
    if (this.#scheduled || this.#session === undefined || this.#reopening !== undefined) return;
    this.#scheduled = true;
    // One subscription request for all topics that are added and removed in one tick.
    queueMicrotask(() => {
      this.#scheduled = false;
      if (this.#session === undefined || this.#reopening !== undefined) return;
      // Removed only now: a topic that was removed and added again in one tick stays open.
      for (const keys of [this.#open, this.#unannounced])
        for (const key of keys) if (!this.#topics.has(key)) keys.delete(key);
      this.#session.feed?.follow([...this.#topics.values()].map((entry) => entry.topic));
      this.#report();
    });
  }

  #events(session: Session): FeedEvents {
    return {
      opened: (topics) => {
        if (session !== this.#session) return;
        this.#openedAt = now();
        this.#forgetRetries();
        for (const topic of topics) {
          const key = keyOf(topic);
          this.#open.add(key);
          this.onOpen(topic);
          for (const follower of [...(this.#topics.get(key)?.followers ?? [])]) follower.opened();
        }
        this.#report();
      },
      lost: (error) => this.#reopen(session, error),
      ended: () => this.#reopen(session, undefined),
      failed: (topics, error) => this.#fail(topics, error),
      delayed: (topics, error) => this.#retry(topics, error),
      rejected: (topic, error) => {
        const followers = [...(this.#topics.get(keyOf(topic))?.followers ?? [])];
        // A list whose changes the server does not announce is read once.
        if ('list' in topic) {
          this.#unannounced.add(keyOf(topic));
          for (const follower of followers) follower.opened();
        } else {
          this.#topics.delete(keyOf(topic));
          for (const follower of followers) follower.ended(error);
        }
      },
    };
  }

  #reopen(session: Session, error: Error | undefined): void {
    if (session !== this.#session || session.peer.isOver || this.#reopening !== undefined) return;
    if (this.#open.size > 0 && now() - this.#openedAt >= stableAfterMs) this.#reopens = 0;
    this.#open.clear();
    this.#unannounced.clear();
    this.#forgetRetries();
    this.#reopens += 1;
    if (this.#reopens > maxReopens) {
      this.#reopens = 0;
      this.#fail(
        [...this.#topics.values()].map(({ topic }) => topic),
        error ?? reopenedTooOften(),
      );
      return;
    }
    this.#reopening = timer(() => {
      this.#reopening = undefined;
      this.#schedule();
    }, backOff(this.#reopens));
    this.#report();
  }

  // Some topics could not be added to the open subscription. Unlike reopening, this delays no other change.
  #retry(topics: readonly Topic[], error: Error | undefined): void {
    // A change of the topics meanwhile requests these again too; only timed retries count.
    if (this.#retrying !== undefined) return;
    this.#retries += 1;
    if (this.#retries > maxReopens) return this.#fail(topics, error ?? reopenedTooOften());
    this.#retrying = timer(() => {
      this.#retrying = undefined;
      this.#schedule();
    }, backOff(this.#retries));
    this.#report();
  }

  #forgetRetries(): void {
    clearTimeout(this.#retrying);
    this.#retrying = undefined;
    this.#retries = 0;
  }

  // Ends the followers of these topics with the error. Other topics continue.
  #fail(topics: readonly Topic[], error: Error): void {
    this.#forgetRetries();
    const followers = new Set<Follower>();
    for (const topic of topics) {
      const key = keyOf(topic);
      for (const follower of this.#topics.get(key)?.followers ?? []) followers.add(follower);
      this.#topics.delete(key);
    }
    if (topics.length > 0) this.#schedule();
    this.#report();
    for (const follower of followers) follower.ended(error);
  }

  #report(): void {
    this.onStatus(this.#open.size, this.#reopening === undefined ? this.#waiting() : this.#topics.size);
  }

  // The number of topics that could not be added so far.
  #waiting(): number {
    if (this.#retrying === undefined) return 0;
    const keys = [...this.#topics.values()].map(({ topic }) => keyOf(topic));
    return keys.filter((key) => !this.#open.has(key) && !this.#unannounced.has(key)).length;
  }
}

/** How long to wait before the next try, in milliseconds. */
export function backOff(times: number): number {
  return Math.random() * Math.min(1_000 * 1.5 ** (times - 1), 30_000);
}

function reopenedTooOften(): RxmcpError {
  const message = `the server ended the subscription ${maxReopens + 1} times in a row`;
  return new RxmcpError('PROTOCOL_ERROR', message, { outcome: 'answered' });
}

function notify({ followers }: Followed<Follower>): void {
  for (const follower of [...followers]) follower.changed();
}
