/** Works on all items, on `most` of them at a time, and gives what came of each in their order. The first failure begins no more. */
export async function aFewAtATime<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const [at, item] of waiting) {
      try {
        results[at] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
      if (failed) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
