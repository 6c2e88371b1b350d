import type { Duplex } from 'node:stream';

/**
 * Hears the errors of a connection that nobody has taken: Node listens to none after `upgrade`, and one that is not heard
 * ends the process.
 */
export function nobodysLoss(this: Duplex): void {
  this.destroy();
}
