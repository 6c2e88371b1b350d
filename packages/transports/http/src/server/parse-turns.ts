import { estimateRequestBytes, type MemoryBudget } from '@rxmcp/transport';
import { type AsyncScope, captureAsyncScope } from '@rxmcp/transport/internal';

/** A shorter body is parsed at once. */
const largeChars = 64 * 1024;
/** Bodies are parsed in one turn up to this estimate of their memory, in bytes. A larger one has a turn for itself. */
const turnBytes = 8 * 1024 * 1024;

interface Waiting {
  readonly holder: string;
  readonly bytes: number;
  readonly work: () => void;
  readonly scope: AsyncScope | undefined;
}

/**
 * Parses large bodies in turns of the event loop: many that arrive together would block it for all their times together. The caller
 * is charged for a body that waits, and one that exceeds its share is not parsed.
 */
export class ParseTurns {
  private readonly waiting: Waiting[] = [];
  private spentBytes = 0;
  private isScheduled = false;

  constructor(private readonly memory: MemoryBudget) {}

  /** Calls `work` now, or in a later turn. Returns false where the memory of the caller does not suffice for a large body. */
  run(text: string, holder: string, work: () => void): boolean {
    if (text.length < largeChars) {
      work();
      return true;
    }
    const bytes = estimateRequestBytes(text);
    // The text of a request that would be rejected is not parsed.
    if (!this.memory.tryCharge(holder, bytes)) return false;
    const isNext = this.waiting.length === 0 && this.fits(bytes);
    const one = { holder, bytes, work, scope: isNext ? undefined : captureAsyncScope() };
    if (isNext) this.parse(one);
    else this.waiting.push(one);
    return true;
  }

  private fits(bytes: number): boolean {
    return this.spentBytes === 0 || this.spentBytes + bytes <= turnBytes;
  }

  private spend(bytes: number): void {
    this.spentBytes += bytes;
    if (this.isScheduled) return;
    this.isScheduled = true;
    nextTurn(this.turn);
  }

  private readonly turn = (): void => {
    this.isScheduled = false;
    this.spentBytes = 0;
    for (let next = this.waiting[0]; next !== undefined && this.fits(next.bytes); next = this.waiting[0]) {
      this.waiting.shift();
      this.parse(next);
    }
  };

  private parse({ holder, bytes, work, scope }: Waiting): void {
    // The request is charged where it is taken.
    this.memory.release(holder, bytes);
    this.spend(bytes);
    if (scope === undefined) work();
    else scope.runInAsyncScope(work, undefined);
  }
}

/** Calls back once what has arrived meanwhile is read. */
function nextTurn(callback: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(callback);
  else setTimeout(callback, 0);
}
