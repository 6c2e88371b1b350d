/** A text that counts how many of its characters are looked at. It passes as a string wherever no primitive is needed. */
export class CountedText extends String {
  /** Characters read, searched or copied so far. */
  touched = 0;

  override charCodeAt(at: number): number {
    this.touched += 1;
    return super.charCodeAt(at);
  }

  override indexOf(searched: string, from = 0): number {
    const found = super.indexOf(searched, from);
    this.touched += (found < 0 ? this.length : found + searched.length) - from;
    return found;
  }

  override slice(from?: number, to?: number): string {
    const part = super.slice(from, to);
    this.touched += part.length;
    return part;
  }

  /** The same object, typed as what takes it expects. */
  get text(): string {
    return this as unknown as string;
  }
}

const methods = ['set', 'indexOf', 'lastIndexOf', 'slice', 'copyWithin'] as const;

/** Counts the bytes that work searches, copies and decodes, in all typed arrays. */
export function bytesTouched(work: () => void): number {
  let touched = 0;
  const arrays = Object.getPrototypeOf(Uint8Array.prototype) as Record<string, unknown>;
  const undo: (() => void)[] = [];
  const count = (owner: object, name: string, sizeOf: (self: unknown, args: unknown[]) => number): void => {
    const whole = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor;
    const original = whole.value as (...args: unknown[]) => unknown;
    const counting = function (this: unknown, ...args: unknown[]): unknown {
      touched += sizeOf(this, args);
      return original.apply(this, args);
    };
    Object.defineProperty(owner, name, { ...whole, value: counting });
    undo.push(() => void Object.defineProperty(owner, name, whole));
  };
  for (const name of methods)
    count(arrays, name, (self, args) => ((name === 'set' ? args[0] : self) as Uint8Array).length);
  count(TextDecoder.prototype, 'decode', (_, [bytes]) => (bytes as Uint8Array).length);
  try {
    work();
  } finally {
    for (const put of undo) put();
  }
  return touched;
}
