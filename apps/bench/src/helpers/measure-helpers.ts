import { measuredRows } from '../children/measured-child.js';
import type { Plan } from '../plan.js';
import type { Row } from '../settings.js';

/** What carries the messages. */
export type Carrier = 'port' | 'frames';

/** The task of the child. */
export interface HelpersTask {
  readonly carrier: Carrier;
  readonly inFlight: number;
  readonly plan: Plan['awaited'];
}

/** What is compared. */
export const helperSettings: readonly Omit<HelpersTask, 'plan'>[] = (['port', 'frames'] as const).flatMap(
  (carrier) => [1, 64].map((inFlight) => ({ carrier, inFlight })),
);

/** Measures calls over transports made with a helper and by hand. They take turns in one process. */
export function measureHelpers(task: HelpersTask): Promise<Row[]> {
  return measuredRows('helpers-run', task);
}
