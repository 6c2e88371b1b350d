/** Things that arrive, and a way to wait for one of them. */
export interface Arrivals<T> {
  readonly all: readonly T[];
  add(item: T): void;
  /** The first one, of those that came and those that will, that fits; rejects after `withinMs`. */
  next(fits: (item: T) => boolean, withinMs?: number): Promise<T>;
}

/** An empty list of arrivals. */
export function arrivals<T>(what: string): Arrivals<T> {
  const all: T[] = [];
  const waiting = new Set<(item: T) => void>();
  return {
    all,
    add(item) {
      all.push(item);
      for (const offered of [...waiting]) offered(item);
    },
    next(fits, withinMs = 60_000) {
      const found = all.find(fits);
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve, reject) => {
        const offered = (item: T): void => {
          if (!fits(item)) return;
          clearTimeout(timer);
          waiting.delete(offered);
          resolve(item);
        };
        const timer = setTimeout(() => {
          waiting.delete(offered);
          reject(new Error(`no such ${what} within ${withinMs} ms, only ${JSON.stringify(all)}`));
        }, withinMs);
        waiting.add(offered);
      });
    },
  };
}
