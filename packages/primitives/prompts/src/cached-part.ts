/** Options of {@link cachedPart}. */
export interface CachedPartOptions {
  /** How long a value is good, in milliseconds. @default until it is invalidated */
  readonly ttlMs?: number;
  /** How many keys have a value at a time; the one that was not asked for longest goes first. @default 100 */
  readonly maxKeys?: number;
}

/** A costly part of prompts, made once and kept. */
export interface CachedPart<T> {
  /** Returns the value of a key, and makes it first if it is missing. Concurrent callers share the value that is being made. */
  get(key?: string): Promise<T>;
  /** Removes one value, or all of them. A value that is being made is still returned to its callers, but not kept. */
  invalidate(key?: string): void;
}

/**
 * Keeps what is costly to make and goes into prompts, such as the tree of a project. Nothing is made before it is asked for, and what
 * fails is not kept. The key is all that values differ by: where callers see different things, put the principal into it.
 */
export function cachedPart<T>(
  make: (key: string) => T | PromiseLike<T>,
  { ttlMs = Infinity, maxKeys = 100 }: CachedPartOptions = {},
): CachedPart<T> {
  if (!(ttlMs > 0)) throw new TypeError(`keepMs must be more than 0, not ${ttlMs}`);
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
