import { type AsyncScope, captureAsyncScope } from './async-scope.js';

/** How long one turn of the event loop handles large input before the rest waits for the next turn, in milliseconds. */
const turnMs = 10;
/** A turn begins with each so many characters or bytes of all small messages, since they may be thousands. */
const charsPerTurn = 16 * 1024;
/** After less work than this, in milliseconds, a turn ends with that of the event loop, unless something waits. */
const shortMs = 1;

type Schedule = (callback: () => void) => unknown;

/** Not looked up for each call: a test that replaces timers must not stop it. */
const { setImmediate: immediate } = globalThis as { setImmediate?: Schedule };
/** Calls back in the next turn of the event loop. */
export const nextTurn: Schedule = immediate ?? ((callback) => setTimeout(callback, 0));
/** How often input is looked for before work that waits. Node accepts one connection at a time, so one look would not be enough. */
const looks = immediate ? 16 : 1;

/** Calls back after the input that is due. */
export function afterInput(callback: () => void, times = looks): void {
  nextTurn(() => (times <= 1 ? callback() : afterInput(callback, times - 1)));
}

interface Waiting {
  readonly work: () => void;
  readonly scope: AsyncScope | undefined;
}

/**
 * Divides the event loop among those that send much at a time. Large input takes milliseconds, and a system passes megabytes for
 * each of hundreds of sockets in one turn. After 10 ms the rest waits for the next turn, in which other work is done first. Those who
 * wait are served one after the other. A turn with more than a little work lasts for all looks for input: one handler of several
 * milliseconds in each turn of the event loop would delay new connections, of which Node accepts one at a time.
 */
class LoopTurns {
  /** What waits, by those who sent it, in the order in which they are served. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** 0 where no turn has begun. */
  #endsAt = 0;
  #readChars = 0;

  /** Whether large input or output has used up this turn. Costs nothing where there was none. */
  get isOver(): boolean {
    return this.#endsAt > 0 && performance.now() >= this.#endsAt;
  }

  /** Begins a turn, unless one has begun. */
  begin(): void {
    if (this.#endsAt > 0) return;
    this.#endsAt = performance.now() + turnMs;
    nextTurn(this.#ended);
  }

  /** Begins a turn, and returns whether it has time left. */
  hasTime(): boolean {
    this.begin();
    return !this.isOver;
  }

  /** Counts input that was read, in characters or bytes. Begins a turn with each 16 KiB, and returns whether the turn has time left. */
  read(length: number): boolean {
    this.#readChars += length;
    if (this.#readChars >= charsPerTurn) {
      this.#readChars = 0;
      this.begin();
    }
    return !this.isOver;
  }

  /**
   * Does work of a holder now, or in a later turn, in the order of the calls for this holder; with 'unshift' before all that waits of
   * it, as the rest of work that was done until the turn was over.
   */
  run(holder: string, work: () => void, add: 'push' | 'unshift' = 'push'): void {
    if (this.#waiting.size === 0 && this.hasTime()) return work();
    const own = this.#waiting.get(holder) ?? [];
    own[add]({ work, scope: captureAsyncScope() });
    this.#waiting.set(holder, own);
  }

  readonly #ended = (): void => {
    const isShort = performance.now() < this.#endsAt - turnMs + shortMs;
    if (!isShort || this.#waiting.size > 0) afterInput(this.#next, looks - 1);
    else this.#endsAt = 0;
  };

  readonly #next = (): void => {
    this.#endsAt = 0;
    for (const [holder, own] of this.#waiting) {
      if (!this.hasTime()) return;
      const { work, scope } = own.shift() as Waiting;
      // Behind all others, where this loop comes to it again.
      this.#waiting.delete(holder);
      if (own.length > 0) this.#waiting.set(holder, own);
      if (scope) scope.runInAsyncScope(work, undefined);
      else work();
    }
  };
}

/** The turns of this process, since it has one event loop. */
export const loopTurns = /* @__PURE__ */ new LoopTurns();

/** A shorter message is handled as soon as it is read: it takes no time that others could notice. */
export const largeChars = 64 * 1024;
