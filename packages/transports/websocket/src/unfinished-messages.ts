import type { Duplex } from 'node:stream';
import type { ByteBudget } from '@rxmcp/transport/internal';
import type { WebSocket } from 'ws';

/**
 * Counts what a connection holds of messages that have not come in full. A few bytes that are kept of a chunk keep all of it, so
 * it is chunks that are counted. Those of pings and pongs alone are not kept.
 */
export class UnfinishedMessages {
  private hasFinished = false;
  /** Length of the frames that were read of the message, without the one on its way. */
  private read = 0;
  /** Bytes of the chunks that those frames came in. */
  private keptByFrames = 0;
  /** Bytes of the chunks that were not read to their end. */
  private keptByRest = 0;

  /** @param exceeded Called once when the budget has no room for further bytes. */
  constructor(
    private readonly ws: WebSocket,
    private readonly stream: Duplex,
    private readonly budget: ByteBudget,
    private readonly exceeded: () => void,
  ) {
    // After the one of `ws`, which has read the chunk by then.
    stream.on('data', this.onChunk);
    ws.on('close', () => {
      this.stop();
      this.keep(0, 0);
    });
  }

  /** A message came in full. */
  finished(): void {
    this.hasFinished = true;
    this.read = 0;
    this.keep(0, 0);
  }

  /** Stops counting. Reserved bytes are released when the connection has closed. */
  stop(): void {
    this.stream.off('data', this.onChunk);
  }

  private readonly onChunk = ({ length }: Uint8Array): void => {
    // One that is closing is cut within seconds; what comes until then is not counted.
    if (this.ws.readyState !== this.ws.OPEN) return;
    const { read, rest } = progressOf(this.ws, this.hasFinished ? 0 : length);
    const isKept = read > this.read;
    this.hasFinished = false;
    this.read = read;
    const { keptByFrames: frames, keptByRest: before } = this;
    let hasRoom: boolean;
    if (rest >= length) hasRoom = this.keep(frames, before + length);
    else if (rest > 0) hasRoom = this.keep(isKept ? frames + before : frames, length);
    else hasRoom = this.keep(isKept ? frames + before + length : frames, 0);
    if (hasRoom) return;
    this.stop();
    this.exceeded();
  };

  /** False where there is no room for it; then what was held is held on. */
  private keep(byFrames: number, byRest: number): boolean {
    const more = byFrames + byRest - this.keptByFrames - this.keptByRest;
    // There is always room for less than before.
    if (!this.budget.tryReserve(more)) return false;
    this.keptByFrames = byFrames;
    this.keptByRest = byRest;
    return true;
  }
}

/** How much of a message `ws` has read; it has no public API for that. */
function progressOf(ws: WebSocket, otherwise: number): { readonly read: number; readonly rest: number } {
  const { _receiver: receiver } = ws as { _receiver?: Partial<Receiver> | null };
  const { _messageLength: read = 0, _bufferedBytes: rest = otherwise, _mask: mask } = receiver ?? {};
  // The mask of a frame whose payload is still to come is a part of the chunk as well.
  return { read, rest: mask === undefined ? rest : Math.max(rest, 1) };
}

interface Receiver {
  readonly _messageLength: number;
  readonly _bufferedBytes: number;
  readonly _mask: unknown;
}
