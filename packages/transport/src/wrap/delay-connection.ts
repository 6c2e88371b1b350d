import type { Connection, OutgoingMessage, Receiver, Transport } from '../contract.js';
import { TransportError } from '../error.js';
import { handOver, reportClosed } from '../receiving.js';
import { DelayQueue } from './delay-queue.js';

/** What {@link delayConnection} does to a connection. */
export interface DelayOptions {
  /** How long the next event of a direction waits at least, in milliseconds; 0 = it goes along with the one before it. */
  delayMs(): number;
  /** Called for each message of either direction; true = the connection is cut here. */
  shouldCut?(): boolean;
  /** Closes the inner connection twice. @default false */
  readonly closesTwice?: boolean;
}

/** A connection whose events arrive later, in the same order in each direction. */
export function delayConnection(inner: Connection, slowing: DelayOptions): Connection {
  const out = new DelayQueue(slowing.delayMs);
  const incoming = new DelayQueue(slowing.delayMs);
  let receiver: Receiver | undefined;
  let ended = false;
  let told = false;
  let closing: Promise<void> | undefined;
  let cutBy: TransportError | undefined;

  const closeInner = async (): Promise<void> => {
    const first = inner.close();
    if (slowing.closesTwice === true) await Promise.all([first, inner.close()]);
    await first;
  };
  const end = (error: TransportError | undefined): void => {
    ended = true;
    incoming.clear();
    // Who starts later is told then, by the inner connection's own end.
    if (told || receiver === undefined) return;
    told = true;
    reportClosed(receiver, error);
  };
  const cut = (): boolean => {
    if (cutBy !== undefined || slowing.shouldCut?.() !== true) return cutBy !== undefined;
    cutBy = new TransportError('CONNECTION_LOST', 'the connection was cut on purpose');
    const lost = cutBy;
    // What waits to go out finds the connection cut, and is refused with that.
    void closeInner().then(() => {
      out.flush();
      end(lost);
    });
    return true;
  };

  const pass = (message: OutgoingMessage, sendOptions: Parameters<Connection['send']>[1]): Promise<void> =>
    new Promise((resolve, reject) => {
      out.add(() => {
        if (cut()) reject(cutBy);
        else inner.send(message, sendOptions).then(resolve, reject);
      });
    });

  return {
    traits: inner.traits,
    start(to) {
      receiver = to;
      inner.start({
        received: (message, info) =>
          incoming.add(() => {
            if (!ended && !cut()) handOver(to, () => to.received(message, info));
          }),
        laneClosed: (lane, error) =>
          incoming.add(() => (ended ? undefined : handOver(to, () => to.laneClosed(lane, error)))),
        fault: (error) => incoming.add(() => (ended ? undefined : handOver(to, () => to.fault(error)))),
        closed(error) {
          if (closing === undefined && cutBy === undefined) incoming.add(() => end(error));
          else end(cutBy);
        },
      });
    },
    send(message, sendOptions) {
      if (ended || closing !== undefined || cutBy !== undefined) return inner.send(message, sendOptions);
      return pass(message, sendOptions);
    },
    endLane: (lane) => out.add(() => inner.endLane(lane)),
    close() {
      closing ??= (async () => {
        // An orderly end: what was sent before it still goes out.
        out.flush();
        incoming.clear();
        await closeInner();
        end(cutBy);
      })();
      return closing;
    },
  };
}

/** Delays every event of both directions by at least `ms` milliseconds, in order. A close does not wait. */
export function delay(transport: Transport, ms: number): Transport {
  return mapConnections('delay', transport, (connection) =>
    delayConnection(connection, { delayMs: () => ms }),
  );
}

/** A transport whose connections pass through `wrap`. */
export function mapConnections(
  name: string,
  inner: Transport,
  wrap: (connection: Connection) => Connection,
): Transport {
  return {
    name: `${name}(${inner.name})`,
    dial: async (options) => wrap(await inner.dial(options)),
  };
}
