import { onAbort } from '@rxmcp/transport/internal';
import { setTimerRef, timer } from '../../base/clock.js';
import type { Session } from './session.js';

/** Receives the next open session, or the error of a remote that ended. */
export type Awaiting = (session: Session | Error) => void;

/**
 * The callbacks that wait for the next session of a remote. During the pause before a redial no socket keeps the
 * process alive, so that its timer does while calls wait. Change subscriptions keep nothing alive.
 */
export class NextSession {
  readonly #waiting = new Set<Awaiting>();
  readonly #calls = new Set<Awaiting>();
  #alarm: ReturnType<typeof setTimeout> | undefined;

  /** Adds a callback. Returns a function that removes it. */
  add(callback: Awaiting, isCall: boolean): () => void {
    this.#waiting.add(callback);
    if (isCall) this.#calls.add(callback);
    this.#hold();
    return () => {
      this.#waiting.delete(callback);
      if (this.#calls.delete(callback)) this.#hold();
    };
  }

  /** Calls all waiting callbacks. */
  notify(outcome: Session | Error): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#calls.clear();
    this.#hold();
    for (const callback of waiting) callback(outcome);
  }

  /** Waits before a redial. Aborting the signal ends the wait. */
  pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const over = (): void => {
        clearTimeout(this.#alarm);
        this.#alarm = undefined;
        forget();
        resolve();
      };
      this.#alarm = timer(over, ms);
      this.#hold();
      const forget = onAbort(signal, over);
    });
  }

  #hold(): void {
    setTimerRef(this.#alarm, this.#calls.size > 0);
  }
}
