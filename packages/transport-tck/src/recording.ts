import type { ConnectionHandler, Connection, Lane, Receiver, TransportError } from '@rxmcp/transport';

/** Keeps everything that a connection delivered, in order. */
export interface Recording extends Receiver {
  readonly messages: unknown[];
  readonly faults: TransportError[];
  /** The lanes that the other side ended, each with its cause if it was cut. */
  readonly closedLanes: { readonly lane: Lane; readonly error: TransportError | undefined }[];
  /** One entry per call of `closed`. */
  readonly closeErrors: (TransportError | undefined)[];
}

/** Returns a receiver for tests, which keeps everything it receives. `onMessage` is called with each message. */
export function recording(onMessage: (message: unknown) => void = () => undefined): Recording {
  const messages: unknown[] = [];
  const faults: TransportError[] = [];
  const lanes: Recording['closedLanes'] = [];
  const ends: (TransportError | undefined)[] = [];
  return {
    messages,
    faults,
    closedLanes: lanes,
    closeErrors: ends,
    received(message) {
      messages.push(message);
      onMessage(message);
    },
    laneClosed: (lane, error) => void lanes.push({ lane, error }),
    fault: (error) => void faults.push(error),
    closed: (error) => void ends.push(error),
  };
}

/** Returns a connection handler for tests, which passes every connection to `served` and drains at once. */
export function connectionHandler(served: (connection: Connection) => Receiver): ConnectionHandler {
  return {
    accept(connection) {
      let over = (): void => undefined;
      const closed = new Promise<void>((resolve) => {
        over = resolve;
      });
      const receiver = served(connection);
      connection.start({
        received: (message, info) => receiver.received(message, info),
        laneClosed: (lane, error) => receiver.laneClosed(lane, error),
        fault: (error) => receiver.fault(error),
        closed: (error) => (receiver.closed(error), over()),
      });
      return { drain: () => Promise.resolve(), closed };
    },
  };
}
