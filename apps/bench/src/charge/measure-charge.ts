import { measuredRows } from '../children/measured-child.js';
import type { Plan } from '../plan.js';
import type { Row } from '../settings.js';

/** The transports on which charging is measured. */
export const chargedTransports = ['stdio', 'http', 'ws'] as const;

/** The task of the child. */
export interface ChargeTask {
  readonly inFlight: number;
  readonly plan: Plan['awaited'];
}

/** Measures the server's part of calls that are charged to a memory budget, and of calls that are not. They take turns. */
export function measureCharge(task: ChargeTask): Promise<Row[]> {
  return measuredRows('charge-run', task);
}
