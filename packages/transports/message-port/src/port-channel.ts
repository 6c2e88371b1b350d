import { WireError } from '@rxmcp/jsonrpc';
import {
  type CarrierEvents,
  type Connection,
  fromMessages,
  type MessageCarrier,
  pipeTraits,
  type Traits,
  TransportError,
} from '@rxmcp/transport';
import { closePort, isWorker, listenToPort, type PortLike } from './port-like.js';
import { measureMessage } from './measure-message.js';

/** Options of both sides of a port. */
export interface MessagePortOptions {
  /** Largest message in either direction, in bytes. @default 10485760 */
  readonly maxMessageBytes?: number;
  /** How long to wait for the other side to read before the connection ends with `STALLED`, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
  /**
   * Whether the other side is not this package and understands only messages of the protocol. Then no control messages are sent:
   * sends never wait, and an end without an error counts as orderly. @default false
   */
  readonly protocolOnly?: boolean;
}

/** The names of {@link MessagePortOptions}. */
export const knownPortOptions: Record<keyof MessagePortOptions, true> = {
  maxMessageBytes: true,
  writeTimeoutMs: true,
  protocolOnly: true,
};

/** Names of {@link MessagePortOptions} that users try. */
export const alikePortOptions = { stallMs: 'writeTimeoutMs', plain: 'protocolOnly' };

/** What only one of the sides sets. */
interface PortSide extends MessagePortOptions {
  readonly isServer: boolean;
  /** Whether the port was made for this dial. Then a worker is ended with the connection, and the next dial makes another one. */
  readonly isOwnPort: boolean;
  readonly caller?: Caller;
}

/** Who is at the other end, and the name under which the connection is charged. */
type Caller = Pick<Traits, 'principal' | 'holder'>;

/** How long a worker that we end may take to read what it was sent. */
const readWithinMs = 1_000;

/** The connection of a server over one port. */
export function createServedConnection(
  port: PortLike,
  caller: Caller,
  options: MessagePortOptions,
): Connection {
  return createPortConnection(port, {
    ...options,
    isServer: true,
    isOwnPort: false,
    caller,
  });
}

/** A connection over one port, in structured clones. */
export function createPortConnection(port: PortLike, side: PortSide): Connection {
  const { maxMessageBytes = pipeTraits.maxMessageBytes, isOwnPort, caller, ...options } = side;
  const carrier: MessageCarrier = {
    post: (text) => port.postMessage(JSON.parse(text)),
    measure: (value) => measureMessage(value, maxMessageBytes),
    listen(events) {
      const unlisten = listenTo(port, events);
      return () => {
        unlisten();
        return isWorker(port) && !isOwnPort ? undefined : closePort(port);
      };
    },
  };
  return fromMessages(carrier, {
    ...options,
    traits: { maxMessageBytes, redialable: isOwnPort, ...caller },
    heartbeatIntervalMs: Infinity,
    // A port delivers what was posted before it was closed.
    closeTimeoutMs: isWorker(port) && isOwnPort ? readWithinMs : 0,
  });
}

function listenTo(port: PortLike, events: CarrierEvents): () => void {
  let failure: unknown;
  let hasReceived = false;
  const lost = (exitCode?: number): TransportError =>
    new TransportError('CONNECTION_LOST', 'the other side of the port is closed', {
      cause: failure,
      ...(exitCode === undefined ? {} : { details: { exitCode } }),
    });
  return listenToPort(port, {
    message(data) {
      hasReceived = true;
      events.message(data);
    },
    unreadable: () =>
      events.fault(new WireError('PARSE_ERROR', 'a message cannot be put together again on this side')),
    closed: (exitCode = 0) =>
      events.closed(exitCode === 0 && failure === undefined ? undefined : lost(exitCode)),
    failed(cause) {
      failure = cause;
      // A worker in Node exits after this. A worker in a browser continues, unless its script could not be loaded.
      if (!hasReceived && 'addEventListener' in port) events.closed(lost());
    },
  });
}
