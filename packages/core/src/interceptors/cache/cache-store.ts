import type { JsonObject } from '@rxmcp/jsonrpc';
import { maxKeyLength } from '../../base/key-length.js';
import { now } from '../../base/clock.js';
import { estimateBytes } from '../../base/json-size.js';
import type { Topic } from '../../contract/remote-link.js';
import { normalForm, walked } from '../uri-spellings.js';

/** Identifies a cacheable request. */
export interface CacheSubject {
  readonly method: string;
  /** The list, or the resource as a normalized path, so that notifications match all spellings of its URI. */
  readonly topic: Topic;
  /** The method and parameters as text. */
  readonly key: string;
}

/** The limits of a store. */
export interface CacheBounds {
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly staleIfErrorMs: number;
}

interface Entry {
  readonly subject: CacheSubject;
  readonly result: JsonObject;
  readonly bytes: number;
  readonly freshUntil: number;
}

/** The cached results of one remote. Removes those that were used least recently. */
export class CacheStore {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(private readonly bounds: CacheBounds) {}

  /** Returns a copy of the cached result: that of this caller, or a public one. */
  find(subject: CacheSubject, authorization: string, evenStale: boolean): JsonObject | undefined {
    for (const key of [ownKey(subject, authorization), publicKey(subject)]) {
      const entry = this.#entries.get(key);
      if (entry === undefined) continue;
      const until = entry.freshUntil + (evenStale ? this.bounds.staleIfErrorMs : 0);
      if (now() >= until) continue;
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      // A copy, because the caller may change it.
      return structuredClone(entry.result);
    }
    return undefined;
  }

  /** Stores a copy of a result for its `ttlMs`. */
  keep(subject: CacheSubject, authorization: string, result: JsonObject): void {
    const { ttlMs, cacheScope } = result;
    // A result that is cached for this caller is older.
    this.#drop(ownKey(subject, authorization));
    if (typeof ttlMs !== 'number' || !(ttlMs > 0)) return void this.#drop(publicKey(subject));
    const bytes = estimateBytes(result, this.bounds.maxBytes);
    if (bytes > this.bounds.maxBytes) return;
    const key = cacheScope === 'public' ? publicKey(subject) : ownKey(subject, authorization);
    this.#drop(key);
    this.#entries.set(key, { subject, result: structuredClone(result), bytes, freshUntil: now() + ttlMs });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.bounds.maxEntries && this.#bytes <= this.bounds.maxBytes) break;
      this.#drop(oldest);
    }
  }

  /** Removes the results that a change invalidates, with its URI as {@link changeOf} returns it; without a topic all of them. */
  forget(topic: Topic | undefined): void {
    for (const [key, { subject }] of this.#entries) if (isAffectedBy(topic, subject)) this.#drop(key);
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

/**
 * Returns a change with its URI as a normalized path, which is compared with that of each subject. A URI that is too long takes too
 * much time to normalize: such a change invalidates all results.
 */
export function changeOf(topic: Topic | undefined): Topic | undefined {
  if (topic === undefined || !('uri' in topic)) return topic;
  const { uri } = topic;
  return uri.length > maxKeyLength ? undefined : { uri: walked(normalForm(uri)) };
}

/**
 * Whether a change, with its URI as {@link changeOf} returns it, invalidates the result of a subject. A notification may
 * name something below the resource that was read.
 */
export function isAffectedBy(topic: Topic | undefined, { topic: about }: CacheSubject): boolean {
  if (topic === undefined) return true;
  if ('list' in topic) return 'list' in about && about.list === topic.list;
  if (!('uri' in about)) return false;
  const changed = topic.uri;
  if (changed === about.uri) return true;
  const isEnd = about.uri.endsWith('/') || '/?#'.includes(changed[about.uri.length] ?? ' ');
  return isEnd && changed.startsWith(about.uri);
}

/** Returns the subject of a request; undefined if its result is not cached, such as that of a round of asks. */
export function subjectOf(method: string, params: JsonObject): CacheSubject | undefined {
  const { _meta: _ignored, cursor, uri, ...others } = params;
  if (Object.keys(others).length > 0) return undefined;
  if (method === 'resources/read') {
    if (typeof uri !== 'string' || cursor !== undefined) return undefined;
    if (uri.length > maxKeyLength) return undefined;
    const normal = normalForm(uri);
    // The topic may match too much, since removing a valid result is harmless. The key must not, since another
    // resource is not.
    return { method, topic: { uri: walked(normal) }, key: `${method} ${normal}` };
  }
  const list = lists.get(method);
  if (list === undefined || uri !== undefined) return undefined;
  if (cursor !== undefined && (typeof cursor !== 'string' || cursor.length > maxKeyLength)) return undefined;
  // The empty string is a cursor too.
  return { method, topic: { list }, key: cursor === undefined ? method : `${method} ${cursor}` };
}

/** Returns the key of a result that only one caller may see. */
export function ownKey({ key }: CacheSubject, authorization: string): string {
  return `private ${JSON.stringify(authorization)} ${key}`;
}

function publicKey({ key }: CacheSubject): string {
  return `public ${key}`;
}

const lists: ReadonlyMap<string, 'tools' | 'prompts' | 'resources'> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
]);
