/** Whether two values say the same: arrays, plain objects, maps, sets, dates, bytes and errors by content, the rest by identity. */
export function equalDeep(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date) return a.getTime() === (b as Date).getTime();
  if (a instanceof Map || a instanceof Set) return equalDeep([...a], [...(b as Iterable<unknown>)]);
  if (a instanceof Error && (a.name !== (b as Error).name || a.message !== (b as Error).message))
    return false;
  // The stack of an error is no enumerable member, so two errors of one kind and text are equal.
  const [inA, inB] = [Object.keys(a), Object.keys(b)];
  return (
    inA.length === inB.length &&
    inA.every(
      (key) =>
        Object.hasOwn(b, key) &&
        equalDeep((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  );
}
