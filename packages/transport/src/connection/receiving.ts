import type { Receiver } from '../contract/contract.js';
import { TransportError } from '../contract/error.js';

/** Delivers an event to a receiver. An error that the receiver throws is handled by {@link reportThrown}. */
export function handOver(receiver: Receiver, event: (receiver: Receiver) => void): void {
  try {
    event(receiver);
  } catch (cause) {
    reportThrown(receiver, cause);
  }
}

/** Reports an error that a receiver threw to the receiver, as a fault with code `INVALID_MESSAGE`. Delivery continues. */
export function reportThrown(receiver: Pick<Receiver, 'fault'> | undefined, cause: unknown): void {
  try {
    receiver?.fault(new TransportError('INVALID_MESSAGE', 'the receiver threw on a message', { cause }));
  } catch {
    // It throws on faults too, so nothing is left to report to.
  }
}

/** Reports the end to a receiver. Nothing may follow the end, so an error that the receiver throws is ignored. */
export function reportClosed(receiver: Receiver | undefined, cause: TransportError | undefined): void {
  try {
    receiver?.closed(cause);
  } catch {
    // See above.
  }
}
