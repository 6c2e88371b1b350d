const tickMs = 1_000;
/** A look that nothing asks for comes each hour. */
const longestTicks = 3_600;

/**
 * One timer for everything that waits. It counts seconds by its own coming, not by the clock: a process that was held up for
 * a minute has not waited for anybody meanwhile. It comes each second while something short waits, and sleeps longer where
 * nothing can be due before.
 */
export class Sweep {
  private ticked = 0;
  /** What was last said to be the tick, which never goes back. */
  private told = 0;
  /** How many ticks the timer sleeps at a time; 0 where nothing waits. */
  private stride = 0;
  private sleptAt = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** The timer is set to the rest of a second. */
  private isShort = false;

  /** @param pass Looks at everything, and says in how many ticks to look again; 0 when nothing is left that waits. */
  constructor(private readonly pass: () => number) {}

  /** Goes up once per second while there is something to wait for. */
  get tick(): number {
    if (this.stride > 1) this.told = Math.max(this.told, this.ticked + Math.floor(this.slept()));
    return Math.max(this.told, this.ticked);
  }

  /** Ticks each second from now on, until the next look. The timer alone keeps no process alive. */
  wake(): void {
    if (this.stride === 1) return;
    const rest = this.slept() % 1;
    this.ticked = this.tick;
    this.sleep(1, rest);
  }

  stop(): void {
    this.ticked = this.tick;
    clearInterval(this.timer);
    this.stride = 0;
  }

  /** How many ticks it is into its sleep, by the clock, which is not believed where it is far beyond the end of it. */
  private slept(): number {
    const ticks = (performance.now() - this.sleptAt) / tickMs;
    if (this.stride === 0 || ticks < 0 || ticks > this.stride + 1) return 0;
    return Math.min(ticks, this.stride - 0.001);
  }

  private sleep(stride: number, since = 0): void {
    clearInterval(this.timer);
    this.stride = stride;
    this.sleptAt = performance.now() - since * tickMs;
    this.isShort = since > 0;
    this.timer = setInterval(() => this.look(), (stride - since) * tickMs);
    (this.timer as { unref?: () => void }).unref?.();
  }

  private look(): void {
    const isLate = performance.now() - this.sleptAt > (this.stride + 1) * tickMs;
    this.ticked = Math.max(this.told, this.ticked + (isLate ? 1 : this.stride));
    this.sleptAt = performance.now();
    const next = Math.min(this.pass(), longestTicks);
    if (next === 0) this.stop();
    else if (next !== this.stride || this.isShort) this.sleep(next);
  }
}

/** How many ticks make that many milliseconds, one at least. */
export function ticks(ms: number): number {
  return Math.max(1, Math.ceil(ms / tickMs));
}
