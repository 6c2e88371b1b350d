import type { Receiver, TransportError } from '../../src/index.js';

/** Everything that a connection delivered, in order. The shared one is in a package that stands on this one. */
export interface Heard extends Receiver {
  readonly messages: unknown[];
  readonly faults: TransportError[];
  readonly ends: (TransportError | undefined)[];
}

export function heard(): Heard {
  const messages: unknown[] = [];
  const faults: TransportError[] = [];
  const ends: (TransportError | undefined)[] = [];
  return {
    messages,
    faults,
    ends,
    received: (message) => void messages.push(message),
    laneClosed: () => undefined,
    fault: (error) => void faults.push(error),
    closed: (error) => void ends.push(error),
  };
}
