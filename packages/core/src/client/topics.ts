import type { Topic } from '../contract/remote-link.js';
import { keyOf } from '../contract/remote-link.js';

/** A topic and those who follow it. */
export interface Followed<T> {
  readonly topic: Topic;
  readonly followers: Set<T>;
}

/** What is followed, found by key and, for a notice of something below it, by the start of a uri. */
export class Topics<T> {
  private readonly byKey = new Map<string, Followed<T>>();
  /** How many of the uris have one length. */
  private readonly lengths = new Map<number, number>();

  get size(): number {
    return this.byKey.size;
  }

  get(key: string): Followed<T> | undefined {
    return this.byKey.get(key);
  }

  has(key: string): boolean {
    return this.byKey.has(key);
  }

  values(): Iterable<Followed<T>> {
    return this.byKey.values();
  }

  add(topic: Topic, follower: T): Followed<T> {
    const key = keyOf(topic);
    let followed = this.byKey.get(key);
    if (followed === undefined) {
      followed = { topic, followers: new Set() };
      this.byKey.set(key, followed);
      if ('uri' in topic) this.count(topic.uri.length, 1);
    }
    followed.followers.add(follower);
    return followed;
  }

  delete(key: string): void {
    const followed = this.byKey.get(key);
    if (followed === undefined) return;
    this.byKey.delete(key);
    if ('uri' in followed.topic) this.count(followed.topic.uri.length, -1);
  }

  clear(): void {
    this.byKey.clear();
    this.lengths.clear();
  }

  /** The longest followed uri that this one lies under. Asks for each length once, however many are followed. */
  above(uri: string): Followed<T> | undefined {
    let best: Followed<T> | undefined;
    let longest = 0;
    for (const length of this.lengths.keys()) {
      if (length <= longest || !endsAt(uri, length)) continue;
      const found = this.byKey.get(`uri ${uri.slice(0, length)}`);
      if (found !== undefined) [best, longest] = [found, length];
    }
    return best;
  }

  private count(length: number, by: number): void {
    const left = (this.lengths.get(length) ?? 0) + by;
    if (left > 0) this.lengths.set(length, left);
    else this.lengths.delete(length);
  }
}

// Whether something can end there in a uri, so that the rest lies under it.
function endsAt(uri: string, length: number): boolean {
  if (uri.length <= length) return false;
  return uri[length - 1] === '/' || '/?#'.includes(uri[length] as string);
}
