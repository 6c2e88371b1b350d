import type { Acceptor, Connection, Receiver, TransportError } from '@rxmcp/transport';

/** Everything that a connection delivered, in order. */
export interface Recording extends Receiver {
  readonly messages: unknown[];
  readonly faults: TransportError[];
  readonly ends: (TransportError | undefined)[];
}

export function recording(onMessage: (message: unknown) => void = () => undefined): Recording {
  const messages: unknown[] = [];
  const faults: TransportError[] = [];
  const ends: (TransportError | undefined)[] = [];
  return {
    messages,
    faults,
    ends,
    received(message) {
      messages.push(message);
      onMessage(message);
    },
    laneClosed: () => undefined,
    fault: (error) => void faults.push(error),
    closed: (error) => void ends.push(error),
  };
}

/** An acceptor that hands every connection to `served`, and drains at once. */
export function accepting(served: (connection: Connection) => Receiver): Acceptor {
  return {
    accept(connection) {
      let over = (): void => undefined;
      const closed = new Promise<void>((resolve) => {
        over = resolve;
      });
      const receiver = served(connection);
      connection.start({
        received: (message, arrival) => receiver.received(message, arrival),
        laneClosed: (lane, error) => receiver.laneClosed(lane, error),
        fault: (error) => receiver.fault(error),
        closed: (error) => (receiver.closed(error), over()),
      });
      return { drain: () => Promise.resolve(), closed };
    },
  };
}
