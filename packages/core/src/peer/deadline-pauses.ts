import type { Lane } from '@rxmcp/transport';
import { setTimerRef, now, timer } from '../base/clock.js';

/** How long a question to the other side may wait for its answer, in milliseconds. No clock stands still for longer. */
export const maxAskPauseMs = 600_000;

/** The deadlines of one call, and whether they stand still. */
export interface PausableCall {
  readonly lane: Lane | undefined;
  idleAt: number;
  totalAt: number;
  /** How many questions hold it. */
  holds: number;
  /** When the first of them began to. */
  heldSince: number;
}

interface Pause {
  readonly lane: Lane | undefined;
  alarm: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Stops the clocks of calls while this side answers what their peer asked. A question holds the call on whose lane it
 * came; where all share one pipe it names no call, so that it holds all of them. None holds longer than {@link maxAskPauseMs}.
 */
export class DeadlinePauses {
  private readonly open = new Set<Pause>();

  /**
   * @param calls - the calls in flight
   * @param resumed - called when clocks went on
   */
  constructor(
    private readonly calls: () => Iterable<PausableCall>,
    private readonly resumed: () => void,
  ) {}

  /** Stops the clocks of a lane, or all. Returns what lets them go on where they stood; a second call of it does nothing. */
  begin(lane: Lane | undefined): () => void {
    const pause: Pause = { lane, alarm: undefined };
    const go = (): void => this.end(pause);
    pause.alarm = timer(go, maxAskPauseMs);
    this.open.add(pause);
    const at = now();
    for (const call of this.calls()) if (concerns(pause, call)) hold(call, at);
    return go;
  }

  /** A call began: it stands too where its peer waits for an answer. */
  joined(call: PausableCall, at: number): void {
    for (const pause of this.open) if (concerns(pause, call)) hold(call, at);
  }

  /** Whether the process stays alive for these questions: as long as somebody waits for a call that they may hold. */
  hold(isHeld: boolean): void {
    for (const { alarm } of this.open) setTimerRef(alarm, isHeld);
  }

  /** Forgets all questions: no call is left. */
  clear(): void {
    for (const { alarm } of this.open) clearTimeout(alarm);
    this.open.clear();
  }

  private end(pause: Pause): void {
    if (!this.open.delete(pause)) return;
    clearTimeout(pause.alarm);
    const at = now();
    for (const call of this.calls()) {
      if (!concerns(pause, call) || --call.holds > 0) continue;
      const stood = at - call.heldSince;
      call.idleAt += stood;
      call.totalAt += stood;
    }
    this.resumed();
  }
}

/** Makes {@link DeadlinePauses} of the calls in flight and what is called when clocks went on. */
export type PausesMaker = (calls: () => Iterable<PausableCall>, resumed: () => void) => DeadlinePauses;

export const pausesOf: PausesMaker = (calls, resumed) => new DeadlinePauses(calls, resumed);

function concerns({ lane }: Pause, call: PausableCall): boolean {
  return lane === undefined || call.lane === lane;
}

function hold(call: PausableCall, at: number): void {
  if (call.holds++ === 0) call.heldSince = at;
}
