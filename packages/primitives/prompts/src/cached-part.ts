import { rejectUnknownOptions } from '@rxmcp/core/internal';

/** Options of {@link cachedPart}. */
export interface CachedPartOptions {
  /** How long a value is valid, in milliseconds. @default until it is invalidated */
  readonly ttlMs?: number;
  /** Most keys with a value; the least recently used is removed first. @default 100 */
  readonly maxKeys?: number;
}

const knownOptions: Record<keyof CachedPartOptions, true> = {
  ttlMs: true,
  maxKeys: true,
};

/** A cache for an expensive part of prompts. */
export interface CachedPart<T> {
  /** Returns the value of a key, and makes it first if it is missing. Concurrent callers share the value that is being made. */
  get(key?: string): Promise<T>;
  /** Removes one value, or all of them. A value that is being made is still returned to its callers, but not kept. */
  invalidate(key?: string): void;
}

/**
 * Caches an expensive part of prompts, such as the tree of a project. A value is made at its first request; a failure is not
 * cached. Values differ only by their key: if callers may see different values, include the principal in the key.
 * @throws TypeError for invalid options
 */
export function cachedPart<T>(
  make: (key: string) => T | PromiseLike<T>,
  options: CachedPartOptions = {},
): CachedPart<T> {
  rejectUnknownOptions('cachedPart', options, knownOptions, { keepMs: 'ttlMs' });
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
        // Moved to the end: the first entry is removed when there are too many.
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
