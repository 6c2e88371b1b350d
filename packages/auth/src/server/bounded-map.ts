/** Values until a time. The oldest makes room for a new one. */
export class BoundedMap<T> {
  private readonly entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(private readonly maxEntries: number) {}

  get(key: string): T | undefined {
    const found = this.entries.get(key);
    if (found === undefined || found.until > Date.now()) return found?.value;
    this.entries.delete(key);
    return undefined;
  }

  add(key: string, value: T, until: number): void {
    if (this.maxEntries < 1) return;
    this.entries.delete(key);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size < this.maxEntries) break;
      this.entries.delete(oldest);
    }
    this.entries.set(key, { value, until });
  }
}

/** Returns the SHA-256 digest of a text, as a short key. */
export async function digestOf(text: string): Promise<string> {
  return String.fromCharCode(...(await sha256(text)));
}

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
