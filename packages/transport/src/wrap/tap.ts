import type {
  ReceiveInfo,
  Connection,
  SendOptions,
  Lane,
  OutgoingMessage,
  Receiver,
  Transport,
} from '../contract.js';
import type { TransportError } from '../error.js';
import { mapConnections } from './delay-connection.js';

/** One thing that happened on a tapped connection. */
export type TapEvent =
  | { readonly type: 'sent'; readonly message: OutgoingMessage; readonly options?: SendOptions }
  | { readonly type: 'received'; readonly message: unknown; readonly info?: ReceiveInfo }
  | { readonly type: 'laneEnded'; readonly lane: Lane }
  | { readonly type: 'laneClosed'; readonly lane: Lane; readonly error?: TransportError }
  | { readonly type: 'fault'; readonly error: TransportError }
  | { readonly type: 'closed'; readonly error?: TransportError };

/** Tells an observer of everything that passes, just before it does. An observer that throws is ignored. */
export function tap(transport: Transport, observer: (event: TapEvent) => void): Transport {
  const tell = (event: TapEvent): void => {
    try {
      observer(event);
    } catch {
      // Who watches must not disturb.
    }
  };
  return mapConnections('tap', transport, (connection) => tapped(connection, tell));
}

function tapped(connection: Connection, tell: (event: TapEvent) => void): Connection {
  return {
    traits: connection.traits,
    start: (receiver) => connection.start(tappedReceiver(receiver, tell)),
    send(message, options) {
      tell(options === undefined ? { type: 'sent', message } : { type: 'sent', message, options: options });
      return connection.send(message, options);
    },
    endLane(lane) {
      tell({ type: 'laneEnded', lane });
      connection.endLane(lane);
    },
    close: () => connection.close(),
  };
}

function tappedReceiver(receiver: Receiver, tell: (event: TapEvent) => void): Receiver {
  return {
    received(message, info) {
      tell(info === undefined ? { type: 'received', message } : { type: 'received', message, info: info });
      receiver.received(message, info);
    },
    laneClosed(lane, error) {
      tell(error === undefined ? { type: 'laneClosed', lane } : { type: 'laneClosed', lane, error });
      receiver.laneClosed(lane, error);
    },
    fault(error) {
      tell({ type: 'fault', error });
      receiver.fault(error);
    },
    closed(error) {
      tell(error === undefined ? { type: 'closed' } : { type: 'closed', error });
      receiver.closed(error);
    },
  };
}
