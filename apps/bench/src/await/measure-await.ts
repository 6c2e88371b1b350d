import { measuredRows } from '../children/measured-child.js';
import type { Plan } from '../plan.js';
import type { Row } from '../settings.js';

/** How client and server are connected. */
export type AwaitLink = 'memory' | 'stdio';

/** The task of the child. */
export interface AwaitTask {
  readonly link: AwaitLink;
  readonly inFlight: number;
  readonly plan: Plan['awaited'];
}

/** What is compared. */
export const awaitSettings: readonly Omit<AwaitTask, 'plan'>[] = [
  { link: 'memory', inFlight: 1 },
  { link: 'memory', inFlight: 64 },
  { link: 'stdio', inFlight: 1 },
  { link: 'stdio', inFlight: 64 },
];

/** Measures calls that are awaited and calls that are subscribed to. They take turns in one process. */
export function measureAwait(task: AwaitTask): Promise<Row[]> {
  return measuredRows('await-run', task);
}
