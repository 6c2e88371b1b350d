import { setUnrefTimeout } from '@rxmcp/transport/internal';

/**
 * Notices that nothing comes any more on a connection that looks open. Only a server that has shown keep-alives can be held
 * to them: three times as long as they lay apart without anything, and at least 45 s, is the end.
 */
export class Watchdog {
  #lastAt = performance.now();
  #commentAt: number | undefined;
  #gaps: readonly [number, number] = [0, 0];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSuspicious = false;

  /** @param silent The server is silent for longer than it ever should be. */
  constructor(private readonly silent: (forMs: number) => void) {}

  /** Something came. */
  alive(): void {
    this.#lastAt = performance.now();
    this.#isSuspicious = false;
  }

  /** A keep-alive came. The second one begins the watch. */
  comment(): void {
    const at = performance.now();
    if (this.#commentAt !== undefined) {
      this.#gaps = [this.#gaps[1], at - this.#commentAt];
      this.#arm(this.#patienceMs());
    }
    this.#commentAt = at;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #arm(ms: number): void {
    clearTimeout(this.#timer);
    // In Node the stream itself keeps the process alive.
    this.#timer = setUnrefTimeout(() => this.#look(), ms);
  }

  #look(): void {
    const silence = performance.now() - this.#lastAt;
    const left = this.#patienceMs() - silence;
    if (left > 0) this.#arm(left);
    else if (this.#isSuspicious) this.silent(silence);
    else {
      // A process that was blocked receives the events of that time only now.
      this.#isSuspicious = true;
      this.#arm(confirmMs);
    }
  }

  #patienceMs(): number {
    return Math.max(leastMs, 3 * Math.max(...this.#gaps));
  }
}

const leastMs = 45_000;
const confirmMs = 1_000;
