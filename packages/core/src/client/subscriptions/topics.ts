import type { Topic } from '../../contract/remote-link.js';
import { keyOf } from '../../contract/remote-link.js';

/** A topic and its followers. */
export interface Followed<T> {
  readonly topic: Topic;
  readonly followers: Set<T>;
}

/** The followed topics, found by key or, for a notification about something below it, by the prefix of a URI. */
export class Topics<T> {
  readonly #byKey = new Map<string, Followed<T>>();
  /** The number of URIs of each length. */
  readonly #lengths = new Map<number, number>();

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): Followed<T> | undefined {
    return this.#byKey.get(key);
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  values(): Iterable<Followed<T>> {
    return this.#byKey.values();
  }

  add(topic: Topic, follower: T): Followed<T> {
    const key = keyOf(topic);
    let followed = this.#byKey.get(key);
    if (followed === undefined) {
      followed = { topic, followers: new Set() };
      this.#byKey.set(key, followed);
      if ('uri' in topic) this.#count(topic.uri.length, 1);
    }
    followed.followers.add(follower);
    return followed;
  }

  delete(key: string): void {
    const followed = this.#byKey.get(key);
    if (followed === undefined) return;
    this.#byKey.delete(key);
    if ('uri' in followed.topic) this.#count(followed.topic.uri.length, -1);
  }

  clear(): void {
    this.#byKey.clear();
    this.#lengths.clear();
  }

  /**
   * Returns the longest followed URI that this one lies under. Looks up each length once, however many URIs are
   * followed.
   */
  above(uri: string): Followed<T> | undefined {
    let best: Followed<T> | undefined;
    let longest = 0;
    for (const length of this.#lengths.keys()) {
      if (length <= longest || !endsAt(uri, length)) continue;
      const found = this.#byKey.get(`uri ${uri.slice(0, length)}`);
      if (found !== undefined) [best, longest] = [found, length];
    }
    return best;
  }

  #count(length: number, by: number): void {
    const left = (this.#lengths.get(length) ?? 0) + by;
    if (left > 0) this.#lengths.set(length, left);
    else this.#lengths.delete(length);
  }
}

// Whether a URI can have a boundary after this many characters, so that the rest lies under the prefix.
function endsAt(uri: string, length: number): boolean {
  if (uri.length <= length) return false;
  return uri[length - 1] === '/' || '/?#'.includes(uri[length] as string);
}
