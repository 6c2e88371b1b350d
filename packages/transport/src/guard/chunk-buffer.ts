/** The bytes that requests of a listener hold at the same time, all together. */
export class ByteBudget {
  private held = 0;

  /** @param max The most that may be held, in bytes. */
  constructor(private readonly max: number) {}

  /** False when there is no room. */
  tryReserve(bytes: number): boolean {
    if (this.held + bytes > this.max) return false;
    this.held += bytes;
    return true;
  }

  /** Gives back what was taken. */
  release(bytes: number): void {
    this.held -= bytes;
  }
}

/** Smaller chunks are put together in blocks of this length. */
const blockBytes = 16 * 1024;

/**
 * The bytes of a request's body while it comes. A chunk is an object, which takes more room than the few bytes that may be in it, and may
 * keep the whole buffer that it was cut from; so small ones are copied. The first one is not: it is nearly always the only one.
 */
export class ChunkBuffer {
  /** How many bytes are held. */
  byteLength = 0;
  private first: Uint8Array | undefined;
  private rest: Uint8Array[] | undefined;
  private block: Uint8Array | undefined;
  private filled = 0;

  append(chunk: Uint8Array): void {
    this.byteLength += chunk.length;
    if (this.first === undefined) this.first = chunk;
    else if (chunk.length < blockBytes) this.copy(chunk);
    else this.keep(chunk);
  }

  /** All that came, as one. */
  toBytes(): Uint8Array {
    const { first = new Uint8Array(), rest = [], block } = this;
    if (this.byteLength === first.length) return first;
    const whole = new Uint8Array(this.byteLength);
    let at = 0;
    const put = (piece: Uint8Array): void => {
      whole.set(piece, at);
      at += piece.length;
    };
    put(first);
    for (const piece of rest) put(piece);
    if (block !== undefined) put(block.subarray(0, this.filled));
    return whole;
  }

  /** Holds nothing any more. */
  clear(): void {
    this.byteLength = 0;
    this.first = undefined;
    this.rest = undefined;
    this.block = undefined;
  }

  private copy(chunk: Uint8Array): void {
    if (this.block !== undefined && this.filled + chunk.length > blockBytes) this.endBlock(this.block);
    if (this.block === undefined) {
      this.block = new Uint8Array(blockBytes);
      this.filled = 0;
    }
    this.block.set(chunk, this.filled);
    this.filled += chunk.length;
  }

  private keep(piece: Uint8Array): void {
    if (this.block !== undefined) this.endBlock(this.block);
    (this.rest ??= []).push(piece);
  }

  private endBlock(block: Uint8Array): void {
    this.block = undefined;
    (this.rest ??= []).push(block.subarray(0, this.filled));
  }
}
