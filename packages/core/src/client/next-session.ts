import { setTimerRef, timer } from '../base/clock.js';
import type { Session } from './session.js';

/** Hears of the next open session, or of why there is none. */
export type Awaiting = (session: Session | Error) => void;

/**
 * Those who wait for the next session of a remote. No socket is open in the pause before a redial, so that a pause keeps
 * the process alive by itself while calls are among them; what only follows changes keeps nothing alive.
 */
export class NextSession {
  private readonly waiting = new Set<Awaiting>();
  private readonly calls = new Set<Awaiting>();
  private alarm: ReturnType<typeof setTimeout> | undefined = undefined;

  /** Returns what takes it back. */
  add(callback: Awaiting, isCall: boolean): () => void {
    this.waiting.add(callback);
    if (isCall) this.calls.add(callback);
    this.hold();
    return () => {
      this.waiting.delete(callback);
      if (this.calls.delete(callback)) this.hold();
    };
  }

  /** Tells all that wait. */
  tell(outcome: Session | Error): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    this.calls.clear();
    this.hold();
    for (const callback of waiting) callback(outcome);
  }

  /** Waits before a redial; a signal ends the waiting early. */
  pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const over = (): void => {
        clearTimeout(this.alarm);
        this.alarm = undefined;
        signal.removeEventListener('abort', over);
        resolve();
      };
      this.alarm = timer(over, ms);
      this.hold();
      signal.addEventListener('abort', over);
    });
  }

  private hold(): void {
    setTimerRef(this.alarm, this.calls.size > 0);
  }
}
