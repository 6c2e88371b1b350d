import { rejectRenamedOptions } from '@rxmcp/core/internal';

/** Options of {@link cachedPart}. */
export interface CachedPartOptions {
  /** How long a value is good, in milliseconds. @default until it is invalidated */
  readonly ttlMs?: number;
  /** How many keys have a value at a time; the one that was not asked for longest goes first. @default 100 */
  readonly maxKeys?: number;
}

/** A costly part of prompts, made once and kept. */
export interface CachedPart<T> {
  /** The value of a key, made now if there is none. All who ask meanwhile get the one that is being made. */
  get(key?: string): Promise<T>;
  /** Forgets one value, or all of them. One that is being made goes to those who wait for it, and is not kept. */
  invalidate(key?: string): void;
}

/**
 * Keeps what is costly to make and goes into prompts, such as the tree of a project. Nothing is made before it is asked for, and what
 * fails is not kept. The key is all that values differ by: where callers see different things, put the principal into it.
 */
export function cachedPart<T>(
  make: (key: string) => T | PromiseLike<T>,
  options: CachedPartOptions = {},
): CachedPart<T> {
  rejectRenamedOptions('cachedPart', options, { keepMs: 'ttlMs' });
  const { ttlMs = Infinity, maxKeys = 100 } = options;
  if (!(ttlMs > 0)) throw new TypeError(`ttlMs must be more than 0, not ${ttlMs}`);
  if (!(Number.isInteger(maxKeys) && maxKeys > 0))
    throw new TypeError(`maxKeys must be a positive integer, not ${maxKeys}`);
  const kept = new Map<string, { readonly value: Promise<T>; goodUntil: number }>();
  return {
    get(key = '') {
      const known = kept.get(key);
      kept.delete(key);
      if (known !== undefined && performance.now() < known.goodUntil) {
        // Behind all the others: the first one goes when there are too many.
        kept.set(key, known);
        return known.value;
      }
      const entry = { value: Promise.resolve(key).then(make), goodUntil: Infinity };
      kept.set(key, entry);
      if (kept.size > maxKeys) kept.delete(kept.keys().next().value as string);
      entry.value.then(
        () => {
          entry.goodUntil = performance.now() + ttlMs;
        },
        () => {
          if (kept.get(key) === entry) kept.delete(key);
        },
      );
      return entry.value;
    },
    invalidate(key) {
      if (key === undefined) kept.clear();
      else kept.delete(key);
    },
  };
}
