/** Smaller chunks are copied into blocks of at most this length, in bytes. */
const blockBytes = 16 * 1024;

/**
 * Collects the chunks of a request body. A small chunk takes more memory than its bytes, and may keep the whole buffer that it is
 * part of, so small chunks are copied. The first chunk is not copied: mostly it is the only one.
 */
export class ChunkBuffer {
  /** How many bytes are held. */
  byteLength = 0;
  #first: Uint8Array | undefined;
  #rest: Uint8Array[] | undefined;
  #block: Uint8Array | undefined;
  #filled = 0;

  append(chunk: Uint8Array): void {
    this.byteLength += chunk.length;
    if (this.#first === undefined) this.#first = chunk;
    else if (chunk.length < blockBytes) this.#copy(chunk);
    else this.#keep(chunk);
  }

  /** Returns all bytes as one array. */
  toBytes(): Uint8Array {
    const first = this.#first ?? new Uint8Array();
    const rest = this.#rest ?? [];
    const block = this.#block;
    if (this.byteLength === first.length) return first;
    const whole = new Uint8Array(this.byteLength);
    let at = 0;
    const put = (piece: Uint8Array): void => {
      whole.set(piece, at);
      at += piece.length;
    };
    put(first);
    for (const piece of rest) put(piece);
    if (block !== undefined) put(block.subarray(0, this.#filled));
    return whole;
  }

  /** Removes all bytes. */
  clear(): void {
    this.byteLength = 0;
    this.#first = undefined;
    this.#rest = undefined;
    this.#block = undefined;
  }

  #copy(chunk: Uint8Array): void {
    if (this.#block !== undefined && this.#filled + chunk.length > this.#block.length)
      this.#endBlock(this.#block);
    if (this.#block === undefined) {
      // Twice what there is: a block of full length takes longer than a few small chunks, of which there may be hundreds at a time.
      this.#block = new Uint8Array(Math.min(blockBytes, 2 * this.byteLength));
      this.#filled = 0;
    }
    this.#block.set(chunk, this.#filled);
    this.#filled += chunk.length;
  }

  #keep(piece: Uint8Array): void {
    if (this.#block !== undefined) this.#endBlock(this.#block);
    (this.#rest ??= []).push(piece);
  }

  #endBlock(block: Uint8Array): void {
    this.#block = undefined;
    (this.#rest ??= []).push(block.subarray(0, this.#filled));
  }
}
