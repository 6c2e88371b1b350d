import type { Transport } from '../contract.js';
import { mapped } from './mapped.js';
import { slowed } from './slowed.js';

/** Delays every event of both directions by at least `ms` milliseconds, in order. A close does not wait. */
export function delay(transport: Transport, ms: number): Transport {
  return mapped('delay', transport, (connection) => slowed(connection, { delayMs: () => ms }));
}
