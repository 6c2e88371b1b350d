/** The results of the work for each item, in their order. It is done for some of them at once, and only as far as it is asked for. */
export async function* someAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  for (let at = 0; at < items.length; at += atOnce) {
    yield* await Promise.all(items.slice(at, at + atOnce).map(work));
  }
}
