import type { Connection, OutgoingMessage, Receiver, Transport } from '../contract/contract.js';
import { TransportError } from '../contract/error.js';
import { handOver, reportClosed } from '../connection/receiving.js';
import { DelayQueue } from './delay-queue.js';

/** Options of {@link delayConnection}. */
export interface DelayOptions {
  /** How long the next event of a direction waits at least, in milliseconds; 0 = it arrives with the previous one. */
  delayMs(): number;
  /** Called for each message of either direction; true = the connection is cut at this message. */
  shouldCut?(): boolean;
  /** Closes the inner connection twice. @default false */
  readonly closesTwice?: boolean;
}

/** Wraps a connection so that its events arrive later, in the same order in each direction. */
export function delayConnection(inner: Connection, options: DelayOptions): Connection {
  const out = new DelayQueue(options.delayMs);
  const incoming = new DelayQueue(options.delayMs);
  let receiver: Receiver | undefined;
  let ended = false;
  let isReported = false;
  let closing: Promise<void> | undefined;
  let cutBy: TransportError | undefined;

  const closeInner = async (): Promise<void> => {
    const first = inner.close();
    if (options.closesTwice === true) await Promise.all([first, inner.close()]);
    await first;
  };
  const end = (error: TransportError | undefined): void => {
    ended = true;
    incoming.clear();
    // A receiver that starts later gets the end from the inner connection.
    if (isReported || receiver === undefined) return;
    isReported = true;
    reportClosed(receiver, error);
  };
  const cut = (): boolean => {
    if (cutBy !== undefined || options.shouldCut?.() !== true) return cutBy !== undefined;
    cutBy = new TransportError('CONNECTION_LOST', 'the connection was cut on purpose');
    const lost = cutBy;
    // Waiting sends reject with the same error, since the connection is cut.
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
        received: (message, info, heldBytes) =>
          incoming.add(() => {
            if (!ended && !cut()) handOver(to, () => to.received(message, info, heldBytes));
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
        // An orderly end: earlier messages are still sent.
        out.flush();
        incoming.clear();
        await closeInner();
        end(cutBy);
      })();
      return closing;
    },
  };
}

/** Wraps a transport so that every event of both directions is delayed by at least `ms` milliseconds, in order. A close does not wait. */
export function delay(transport: Transport, ms: number): Transport {
  return mapConnections('delay', transport, (connection) =>
    delayConnection(connection, { delayMs: () => ms }),
  );
}

/** Wraps a transport so that `wrap` maps each of its connections. */
export function mapConnections(
  name: string,
  inner: Transport,
  wrap: (connection: Connection) => Connection,
): Transport {
  return {
    name: `${name}(${inner.name})`,
    ...(inner.isWaiting === undefined ? {} : { isWaiting: () => inner.isWaiting?.() === true }),
    dial: async (options) => wrap(await inner.dial(options)),
  };
}
