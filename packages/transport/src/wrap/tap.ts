import type { Arrival, Connection, Envelope, Lane, Outgoing, Receiver, Transport } from '../contract.js';
import type { TransportError } from '../error.js';
import { mapped } from './slowed.js';

/** One thing that happened on a tapped connection. */
export type TapEvent =
  | { readonly type: 'sent'; readonly message: Outgoing; readonly envelope?: Envelope }
  | { readonly type: 'received'; readonly message: unknown; readonly arrival?: Arrival }
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
  return mapped('tap', transport, (connection) => tapped(connection, tell));
}

function tapped(connection: Connection, tell: (event: TapEvent) => void): Connection {
  return {
    traits: connection.traits,
    start: (receiver) => connection.start(tappedReceiver(receiver, tell)),
    send(message, envelope) {
      tell(envelope === undefined ? { type: 'sent', message } : { type: 'sent', message, envelope });
      return connection.send(message, envelope);
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
    received(message, arrival) {
      tell(arrival === undefined ? { type: 'received', message } : { type: 'received', message, arrival });
      receiver.received(message, arrival);
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
