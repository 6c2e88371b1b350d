const methods = ['every', 'some', 'find', 'findIndex', 'filter', 'map', 'includes', 'indexOf'] as const;

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** Counts the items that work looks at with the methods of arrays. */
export function arraySteps(work: () => void): number {
  let steps = 0;
  const arrays = Array.prototype as unknown as Methods;
  const originals = Object.fromEntries(methods.map((name) => [name, arrays[name]!]));
  const put = (name: string, value: unknown): void =>
    void Object.defineProperty(arrays, name, { value, writable: true, configurable: true });
  for (const name of methods) {
    const original = originals[name]!;
    put(name, function (this: readonly unknown[], ...[first, ...rest]: unknown[]): unknown {
      if (typeof first !== 'function') {
        const found = original.call(this, first, ...rest);
        steps += typeof found === 'number' && found >= 0 ? found + 1 : this.length;
        return found;
      }
      const counting = (...args: unknown[]): unknown => {
        steps += 1;
        return (first as (...args: unknown[]) => unknown)(...args);
      };
      return original.call(this, counting, ...rest);
    });
  }
  try {
    work();
  } finally {
    for (const name of methods) put(name, originals[name]);
  }
  return steps;
}
