const tickMs = 1_000;

/**
 * One timer for everything that waits. It counts seconds by its own coming, not by the clock: a process that was held up for
 * a minute has not waited for anybody meanwhile. It comes each second while something short waits, and sleeps longer where
 * nothing can be due before.
 */
export class Sweep {
  private ticked = 0;
  /** How many ticks the timer sleeps at a time; 0 where nothing waits. */
  private stride = 0;
  private sleptAt = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  /** @param pass Looks at everything, and says in how many ticks to look again; 0 when nothing is left that waits. */
  constructor(private readonly pass: () => number) {}

  /** Goes up about once per second while there is something to wait for. */
  get tick(): number {
    if (this.stride < 2) return this.ticked;
    // Only how far it is into its sleep is asked of the clock, and never believed beyond the end of it.
    const slept = Math.floor((performance.now() - this.sleptAt) / tickMs);
    return this.ticked + Math.max(0, Math.min(slept, this.stride - 1));
  }

  /** Ticks each second from now on, until the next look. The timer alone keeps no process alive. */
  wake(): void {
    if (this.stride === 1) return;
    this.ticked = this.tick;
    this.sleep(1);
  }

  stop(): void {
    this.ticked = this.tick;
    clearInterval(this.timer);
    this.stride = 0;
  }

  private sleep(stride: number): void {
    clearInterval(this.timer);
    this.stride = stride;
    this.sleptAt = performance.now();
    this.timer = setInterval(() => this.look(), stride * tickMs);
    (this.timer as { unref?: () => void }).unref?.();
  }

  private look(): void {
    this.ticked += this.stride;
    this.sleptAt = performance.now();
    const next = this.pass();
    if (next === 0) this.stop();
    else if (next !== this.stride) this.sleep(next);
  }
}

/** How many ticks make that many milliseconds, one at least. */
export function ticks(ms: number): number {
  return Math.max(1, Math.ceil(ms / tickMs));
}
