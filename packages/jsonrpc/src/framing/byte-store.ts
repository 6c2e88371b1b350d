const keptBytes = 16 * 1024;

/**
 * Collects bytes that arrive in chunks. Copying into one growing buffer keeps the cost linear and the memory within twice the
 * bytes held, however small the chunks are. A list of chunks would keep one object per chunk, and the buffers of the sender.
 */
export class ByteStore {
  #buffer = new Uint8Array(0);
  #used = 0;

  get length(): number {
    return this.#used;
  }

  append(piece: Uint8Array): void {
    const needed = this.#used + piece.length;
    if (needed > this.#buffer.length) this.#grow(needed);
    this.#buffer.set(piece, this.#used);
    this.#used = needed;
  }

  /** All bytes so far; valid until the next call. */
  view(): Uint8Array {
    return this.#buffer.subarray(0, this.#used);
  }

  /** Removes the bytes, and releases the memory if it is more than 16 KiB. */
  clear(): void {
    this.#used = 0;
    if (this.#buffer.length > keptBytes) this.#buffer = new Uint8Array(0);
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length, 1024));
    larger.set(this.view());
    this.#buffer = larger;
  }
}
