import type {
  ReceiveInfo,
  Connection,
  SendOptions,
  Lane,
  OutgoingMessage,
  Receiver,
  Transport,
} from '../contract/contract.js';
import type { TransportError } from '../contract/error.js';
import { mapConnections } from './delay-connection.js';

/** An event on a tapped connection. */
export type TapEvent =
  | { readonly type: 'sent'; readonly message: OutgoingMessage; readonly options?: SendOptions }
  | { readonly type: 'received'; readonly message: unknown; readonly info?: ReceiveInfo }
  | { readonly type: 'laneEnded'; readonly lane: Lane }
  | { readonly type: 'laneClosed'; readonly lane: Lane; readonly error?: TransportError }
  | { readonly type: 'fault'; readonly error: TransportError }
  | { readonly type: 'closed'; readonly error?: TransportError };

/** Wraps a transport so that an observer receives every event just before it happens. Errors of the observer are ignored. */
export function tap(transport: Transport, observer: (event: TapEvent) => void): Transport {
  const notify = (event: TapEvent): void => {
    try {
      observer(event);
    } catch {
      // An observer must not affect the connection.
    }
  };
  return mapConnections('tap', transport, (connection) => tapped(connection, notify));
}

function tapped(connection: Connection, notify: (event: TapEvent) => void): Connection {
  return {
    traits: connection.traits,
    start: (receiver) => connection.start(tappedReceiver(receiver, notify)),
    send(message, options) {
      notify(options === undefined ? { type: 'sent', message } : { type: 'sent', message, options });
      return connection.send(message, options);
    },
    endLane(lane) {
      notify({ type: 'laneEnded', lane });
      connection.endLane(lane);
    },
    close: () => connection.close(),
  };
}

function tappedReceiver(receiver: Receiver, notify: (event: TapEvent) => void): Receiver {
  return {
    received(message, info, heldBytes) {
      notify(info === undefined ? { type: 'received', message } : { type: 'received', message, info });
      receiver.received(message, info, heldBytes);
    },
    laneClosed(lane, error) {
      notify(error === undefined ? { type: 'laneClosed', lane } : { type: 'laneClosed', lane, error });
      receiver.laneClosed(lane, error);
    },
    fault(error) {
      notify({ type: 'fault', error });
      receiver.fault(error);
    },
    closed(error) {
      notify(error === undefined ? { type: 'closed' } : { type: 'closed', error });
      receiver.closed(error);
    },
  };
}
