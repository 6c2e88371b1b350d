import { measuredRows } from '../children/measured-child.js';
import type { Plan } from '../plan.js';
import type { Row } from '../settings.js';

/** The task of the child. */
export type AuthTask = Plan['auth'];

/** What the child measures, by the phase of the row. */
export const authPhases = {
  client: 'CPU of the client',
  server: 'CPU of the server',
  verification: 'a token that is not in the cache',
} as const;

/** Measures calls with a token and without one, which take turns, and how long the verification of a new token takes. */
export function measureAuth(task: AuthTask): Promise<Row[]> {
  return measuredRows('auth-run', task);
}
