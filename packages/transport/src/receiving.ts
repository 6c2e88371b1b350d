import type { Receiver } from './contract.js';
import { TransportError } from './error.js';

/** Hands an event to a receiver; what the receiver throws goes no further, see {@link reportThrown}. */
export function handOver(receiver: Receiver, event: (receiver: Receiver) => void): void {
  try {
    event(receiver);
  } catch (cause) {
    reportThrown(receiver, cause);
  }
}

/** A receiver that throws breaks its contract: one fault tells it, and it loses nothing else. */
export function reportThrown(receiver: Receiver | undefined, cause: unknown): void {
  try {
    receiver?.fault(new TransportError('INVALID_MESSAGE', 'the receiver threw on a message', { cause }));
  } catch {
    // It throws on faults too, so nothing is left to report to.
  }
}

/** Reports the end to a receiver. Nothing may follow it, so what the receiver throws is dropped. */
export function reportClosed(receiver: Receiver | undefined, cause: TransportError | undefined): void {
  try {
    receiver?.closed(cause);
  } catch {
    // See above.
  }
}
