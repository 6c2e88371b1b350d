import { TransportError } from '../contract/error.js';
import { clampTimeout } from '../base/timers.js';

/** Waits for the first message of a peer, which may connect and then send nothing. */
export class FirstMessageTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls back with `STALLED` after `timeoutMs` milliseconds, unless it is stopped. */
  start(timeoutMs: number, failed: (error: TransportError) => void): void {
    if (!Number.isFinite(timeoutMs)) return;
    this.#timer = setTimeout(() => {
      const message = `received no message within ${String(timeoutMs / 1_000)} s`;
      failed(new TransportError('STALLED', message));
    }, clampTimeout(timeoutMs));
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
