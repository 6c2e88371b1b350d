import type { LineReader } from '@rxmcp/jsonrpc';
import { type HeldBytes, setUnrefTimeout } from '@rxmcp/transport/internal';

/** How long a line may take to arrive from its first byte, in milliseconds. */
export const lineMs = 30_000;
/** A buffer of this size is kept for the next line. */
const unchargedBytes = 64 * 1024;
/** A line is kept in a buffer of up to twice its size. */
const bufferFactor = 2;

/** Charges for the lines of a connection that are not handled yet: the one that has not arrived in full, and those that wait. */
export class UnfinishedLine {
  private alarm: ReturnType<typeof setTimeout> | undefined;

  /** @param late Called where a line has not arrived within 30 s. */
  constructor(
    private readonly reader: LineReader,
    private readonly held: HeldBytes,
    private readonly late: () => void,
  ) {}

  /** A chunk was read, and lines of so many characters wait. Returns false where the holder would hold too much. */
  chunkRead(waitingChars: number): boolean {
    const { heldBytes } = this.reader;
    if (heldBytes > 0) this.alarm ??= setUnrefTimeout(this.late, lineMs);
    const bytes = bufferFactor * heldBytes + 2 * waitingChars;
    return this.held.resize(bytes > unchargedBytes ? bytes : 0);
  }

  /** A line has arrived in full. */
  ended(): void {
    clearTimeout(this.alarm);
    this.alarm = undefined;
  }

  /** Releases everything. */
  stop(): void {
    this.ended();
    this.held.resize(0);
  }
}
