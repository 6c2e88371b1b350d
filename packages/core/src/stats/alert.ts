/** Something that whoever monitors may want to look at; nothing has gone wrong yet. */
export type Alert = SlowCall | UnusualRate;

/** A call has been running for too long; told once, while it runs or at its end. */
export interface SlowCall {
  readonly type: 'slow-call';
  readonly method: string;
  /** How long it has been running, in milliseconds. */
  readonly runningMs: number;
  /** Who called, at a server that knows. */
  readonly principal?: string;
}

/** There are many more calls or errors than usual, or many fewer calls; told once until it is as usual again. */
export interface UnusualRate {
  readonly type: 'unusual-rate';
  readonly of: 'calls' | 'errors';
  readonly perSecond: number;
  /** What was usual before, by the second. */
  readonly usualPerSecond: number;
}
