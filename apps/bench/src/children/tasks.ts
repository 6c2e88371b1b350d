import type { Plan } from '../plan.js';
import type { CallSetting, Contestant, Row } from '../settings.js';

interface TurnsTask {
  readonly inFlight: number;
  readonly plan: Plan['awaited'];
}

/** What each script is asked to do that measures in a process of its own. */
export interface Tasks {
  /** Calls with a token and without one, and how long the verification of a new token takes. */
  readonly 'auth-run': Plan['auth'];
  /** Calls that are awaited and calls that are subscribed to. */
  readonly 'await-run': TurnsTask & { readonly link: 'memory' | 'stdio' };
  /** The server's part of calls that are charged to a memory budget, and of calls that are not. */
  readonly 'charge-run': TurnsTask;
  /** Calls over transports made with a helper and by hand. */
  readonly 'helpers-run': TurnsTask & { readonly carrier: 'port' | 'frames' };
  /** One contestant in memory, so that none warms the code of another. */
  readonly 'memory-run': {
    readonly setting: CallSetting;
    readonly contestant: Contestant;
    readonly round: number;
    readonly plan: Plan;
  };
}

/** The task of this process. */
export function taskOf<Script extends keyof Tasks>(): Tasks[Script] {
  return JSON.parse(process.argv[2] ?? '') as Tasks[Script];
}

/** Sends the rows to the parent, and ends. */
export function report(rows: readonly Row[]): void {
  process.send?.(rows, () => process.exit(0));
}
