/** Keeps the last bytes of a stream, whatever flows through it. */
export class StderrRing {
  private readonly maxBytes: number;
  private chunks: Uint8Array[] = [];
  private bytes = 0;

  constructor(maxBytes: number = 64 * 1024) {
    this.maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    // A copy: a slice would keep the whole block of memory that it was read into.
    const kept = Uint8Array.from(
      chunk.length > this.maxBytes ? chunk.subarray(chunk.length - this.maxBytes) : chunk,
    );
    this.chunks.push(kept);
    this.bytes += kept.length;
    while (this.bytes - (this.chunks[0]?.length ?? 0) >= this.maxBytes) {
      this.bytes -= this.chunks.shift()?.length ?? 0;
    }
    if (this.chunks.length > 1_024) this.chunks = [Buffer.concat(this.chunks)];
  }

  /** The kept bytes as text; bytes that are not UTF-8 are replaced. */
  text(): string {
    const all = Buffer.concat(this.chunks);
    return all.subarray(Math.max(0, all.length - this.maxBytes)).toString('utf8');
  }
}
