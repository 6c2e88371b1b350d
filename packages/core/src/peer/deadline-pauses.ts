import type { Lane } from '@rxmcp/transport';
import { setTimerRef, now, timer } from '../base/clock.js';

/** Longest time that an ask may wait for its answer, and that it pauses a deadline, in milliseconds. */
export const maxAskPauseMs = 600_000;

/** Once asks have paused the deadline of one call for so long, together, no ask pauses it any more, in milliseconds. */
export const maxCallPauseMs = 3_600_000;

/** The deadlines of one call, and its pause. */
export interface PausableCall {
  readonly lane: Lane | undefined;
  idleAt: number;
  totalAt: number;
  /** The number of asks that pause it. */
  holds: number;
  /** When the first of these asks began. */
  heldSince: number;
}

interface Pause {
  readonly lane: Lane | undefined;
  alarm: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Pauses the deadlines of calls while this side handles asks of the peer. An ask pauses the call on whose lane it
 * arrived. On a shared pipe an ask names no call, so that it pauses all. No ask pauses for longer than {@link
 * maxAskPauseMs}, and all asks of a call together for little longer than {@link maxCallPauseMs}.
 */
export class DeadlinePauses {
  readonly #open = new Set<Pause>();
  /** How much longer asks may pause a call that was paused, in milliseconds. */
  readonly #leftMs = new WeakMap<PausableCall, number>();

  /**
   * @param calls - returns the calls in flight
   * @param resumed - called when deadlines resume
   */
  constructor(
    private readonly calls: () => Iterable<PausableCall>,
    private readonly resumed: () => void,
  ) {}

  /** Pauses the deadlines of a lane, or all. Returns a function that resumes them; its second call does nothing. */
  begin(lane: Lane | undefined): () => void {
    const pause: Pause = { lane, alarm: undefined };
    const go = (): void => this.#end(pause);
    pause.alarm = timer(go, maxAskPauseMs);
    this.#open.add(pause);
    const at = now();
    for (const call of this.calls()) if (concerns(pause, call)) this.#pause(call, at);
    return go;
  }

  /** Adds a new call, whose deadline is paused too if an ask of its lane is open. */
  joined(call: PausableCall, at: number): void {
    for (const pause of this.#open) if (concerns(pause, call)) this.#pause(call, at);
  }

  /** Sets whether open asks keep the process alive, which they do while a call waits. */
  hold(isHeld: boolean): void {
    for (const { alarm } of this.#open) setTimerRef(alarm, isHeld);
  }

  /** Removes all asks when no call is left. */
  clear(): void {
    for (const { alarm } of this.#open) clearTimeout(alarm);
    this.#open.clear();
  }

  #end(pause: Pause): void {
    if (!this.#open.delete(pause)) return;
    clearTimeout(pause.alarm);
    const at = now();
    for (const call of this.calls()) {
      if (!concerns(pause, call) || call.holds === 0) continue;
      const stood = at - call.heldSince;
      const leftMs = this.#leftOf(call) - stood;
      if (--call.holds > 0 && leftMs > 0) continue;
      call.holds = 0;
      call.idleAt += stood;
      call.totalAt += stood;
      this.#leftMs.set(call, leftMs);
    }
    this.resumed();
  }

  #pause(call: PausableCall, at: number): void {
    if (this.#leftOf(call) > 0 && call.holds++ === 0) call.heldSince = at;
  }

  #leftOf(call: PausableCall): number {
    return this.#leftMs.get(call) ?? maxCallPauseMs;
  }
}

/** Creates the {@link DeadlinePauses} of a table of calls. */
export type PausesMaker = (calls: () => Iterable<PausableCall>, resumed: () => void) => DeadlinePauses;

export const pausesOf: PausesMaker = (calls, resumed) => new DeadlinePauses(calls, resumed);

function concerns({ lane }: Pause, call: PausableCall): boolean {
  return lane === undefined || call.lane === lane;
}
