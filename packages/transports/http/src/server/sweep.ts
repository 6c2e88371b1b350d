const tickMs = 1_000;
/** The longest time between two passes: an hour. */
const longestTicks = 3_600;

/**
 * One timer for all timeouts of an endpoint. It counts its own ticks of one second instead of clock time, so that the time in
 * which the process was suspended does not count. It fires each second while a short timeout runs, and otherwise when the
 * next timeout is due.
 */
export class Sweep {
  #ticked = 0;
  /** The tick that was returned last: ticks never decrease. */
  #returned = 0;
  /** How many ticks pass between two firings; 0 while the timer is stopped. */
  #stride = 0;
  #sleptAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** True while the timer runs for the rest of a second. */
  #isShort = false;

  /** @param pass Handles what is due, and returns in how many ticks to run again; 0 if nothing is left to wait for. */
  constructor(private readonly pass: () => number) {}

  /** Increases once per second while the timer runs. */
  get tick(): number {
    if (this.#stride > 1) this.#returned = Math.max(this.#returned, this.#ticked + Math.floor(this.#slept()));
    return Math.max(this.#returned, this.#ticked);
  }

  /** Fires each second until the next pass. The timer alone keeps no process alive. */
  wake(): void {
    if (this.#stride === 1) return;
    const rest = this.#slept() % 1;
    this.#ticked = this.tick;
    this.#sleep(1, rest);
  }

  stop(): void {
    this.#ticked = this.tick;
    clearInterval(this.#timer);
    this.#stride = 0;
  }

  /** Returns how many ticks have passed since the last firing, by the clock; 0 if the clock is far beyond the next firing. */
  #slept(): number {
    const ticks = (performance.now() - this.#sleptAt) / tickMs;
    if (this.#stride === 0 || ticks < 0 || ticks > this.#stride + 1) return 0;
    return Math.min(ticks, this.#stride - 0.001);
  }

  #sleep(stride: number, since = 0): void {
    clearInterval(this.#timer);
    this.#stride = stride;
    this.#sleptAt = performance.now() - since * tickMs;
    this.#isShort = since > 0;
    this.#timer = setInterval(() => this.#look(), (stride - since) * tickMs);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #look(): void {
    const isLate = performance.now() - this.#sleptAt > (this.#stride + 1) * tickMs;
    this.#ticked = Math.max(this.#returned, this.#ticked + (isLate ? 1 : this.#stride));
    this.#sleptAt = performance.now();
    const next = Math.min(this.pass(), longestTicks);
    if (next === 0) this.stop();
    else if (next !== this.#stride || this.#isShort) this.#sleep(next);
  }
}

/** Converts milliseconds to ticks, at least one. */
export function ticks(ms: number): number {
  return Math.max(1, Math.ceil(ms / tickMs));
}
