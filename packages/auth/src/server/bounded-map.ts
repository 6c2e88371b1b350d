/** A value until a time. */
interface Entry<T> {
  readonly value: T;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Values until a time. The oldest makes room for a new one. */
export class BoundedMap<T> {
  readonly #entries = new Map<string, Entry<T>>();

  constructor(private readonly maxEntries: number) {}

  get(key: string): Entry<T> | undefined {
    const found = this.#entries.get(key);
    return found !== undefined && found.until > Date.now() ? found : undefined;
  }

  add(key: string, value: T, until: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.maxEntries) break;
      this.#entries.delete(oldest);
    }
  }
}

/** Where it is there, a digest takes a microsecond or two; the Web Crypto API takes ten times as long, and is asynchronous. */
const nodeCrypto = (globalThis as Partial<Pick<typeof globalThis, 'process'>>).process?.getBuiltinModule?.(
  'node:crypto',
);

/** Returns the SHA-256 digest of a text, as a short key: at once on Node, Bun and Deno. */
export function digestOf(text: string): string | Promise<string> {
  if (nodeCrypto === undefined) return sha256(text).then((digest) => String.fromCharCode(...digest));
  // Half the time of an object per digest, where it is there.
  const { hash, createHash } = nodeCrypto as Partial<Pick<typeof nodeCrypto, 'hash'>> & typeof nodeCrypto;
  return hash?.('sha256', text, 'base64') ?? createHash('sha256').update(text).digest('base64');
}

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
