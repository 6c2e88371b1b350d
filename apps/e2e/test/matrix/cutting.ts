import type { Connection, Receiver, Transport } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';

/** A transport whose connection can be cut from the outside, and whose next dials can be refused. */
export function cutting(inner: Transport): {
  readonly transport: Transport;
  /** Cuts the latest connection; resolves when its carrier has closed. */
  lose(): Promise<void>;
  /** From now on no dial is answered. */
  refuse(): void;
} {
  let latest: { readonly connection: Connection; receiver?: Receiver } | undefined;
  let refusing = false;
  const dial: Transport['dial'] = async (options) => {
    if (refusing) throw new TransportError('DIAL_FAILED', 'No server is there.', { outcome: 'not-sent' });
    const connection = await inner.dial(options);
    const cut: { readonly connection: Connection; receiver?: Receiver } = { connection };
    latest = cut;
    return {
      traits: connection.traits,
      start(receiver) {
        cut.receiver = receiver;
        connection.start({
          received: (message, arrival) => receiver.received(message, arrival),
          laneClosed: (lane, error) => receiver.laneClosed(lane, error),
          fault: (error) => receiver.fault(error),
          closed: (error) => end(cut, error),
        });
      },
      send: (out, envelope) => connection.send(out, envelope),
      endLane: (lane) => connection.endLane(lane),
      close: () => connection.close(),
    };
  };
  return {
    transport: { name: 'cutting', dial },
    async lose() {
      const cut = latest;
      if (cut === undefined) return;
      end(cut, new TransportError('CONNECTION_LOST', 'The line was cut.', { outcome: 'unknown' }));
      await cut.connection.close();
    },
    refuse() {
      refusing = true;
    },
  };
}

/** Reports the end once. */
function end(cut: { receiver?: Receiver }, error: TransportError | undefined): void {
  const { receiver } = cut;
  delete cut.receiver;
  receiver?.closed(error);
}
