const tickMs = 1_000;

/**
 * One timer for everything that waits. It counts how often it came, not what the clock says: a process that was held up for
 * a minute has not waited for anybody meanwhile.
 */
export class Sweep {
  /** Goes up about once per second while there is something to wait for. */
  tick = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  /** @param pass Looks at everything; false when nothing is left that waits. */
  constructor(private readonly pass: () => boolean) {}

  /** Keeps ticking from now on. The timer alone keeps no process alive. */
  wake(): void {
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => {
      this.tick += 1;
      if (!this.pass()) this.stop();
    }, tickMs);
    (this.timer as { unref?: () => void }).unref?.();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** How many ticks make that many milliseconds, one at least. */
export function ticks(ms: number): number {
  return Math.max(1, Math.ceil(ms / tickMs));
}
