import { type AsyncScope, captureAsyncScope } from './async-scope.js';

/** How long one turn of the event loop handles large input before the rest waits for the next turn, in milliseconds. */
const turnMs = 10;

type Schedule = (callback: () => void) => unknown;

/** Calls back after the input that is due. Not looked up for each call: a test that replaces timers must not stop it. */
const nextTurn: Schedule =
  (globalThis as { setImmediate?: Schedule }).setImmediate ?? ((callback) => setTimeout(callback, 0));

interface Waiting {
  readonly work: () => void;
  readonly scope: AsyncScope | undefined;
}

/**
 * Divides the event loop among those that send much at a time. Large input takes milliseconds, and a system passes megabytes for
 * each of hundreds of sockets in one turn. After 10 ms the rest waits for the next turn, in which other work is done first.
 */
export class LoopTurns {
  private readonly waiting: Waiting[] = [];
  private endsAt = 0;
  private hasBegun = false;

  /** Whether large input or output has used up this turn. Costs nothing where there was none. */
  get isOver(): boolean {
    return this.hasBegun && performance.now() >= this.endsAt;
  }

  /** Begins a turn, unless one has begun. */
  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.endsAt = performance.now() + turnMs;
    nextTurn(this.next);
  }

  /** Begins a turn, and returns whether it has time left. */
  hasTime(): boolean {
    this.begin();
    return !this.isOver;
  }

  /** Does work now, or in a later turn, in the order of the calls. */
  run(work: () => void): void {
    if (this.waiting.length === 0 && this.hasTime()) work();
    else this.waiting.push({ work, scope: captureAsyncScope() });
  }

  private readonly next = (): void => {
    this.hasBegun = false;
    while (this.waiting.length > 0 && this.hasTime()) {
      const { work, scope } = this.waiting.shift() as Waiting;
      if (scope === undefined) work();
      else scope.runInAsyncScope(work, undefined);
    }
  };
}

/** The turns of this process, since it has one event loop. */
export const loopTurns = new LoopTurns();

/** A shorter message is handled as soon as it is read: it takes no time that others could notice. */
export const largeChars = 64 * 1024;
