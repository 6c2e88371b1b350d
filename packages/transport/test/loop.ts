import type { Channel, Connection, Receiver, Sink, TransportError, Traits } from '../src/index.js';
import { createConnection, pipeTraits } from '../src/index.js';

/** A carrier whose both ends the test holds: what was sent, and the sink to feed. */
export interface Rig {
  readonly connection: Connection;
  readonly sent: string[];
  readonly heard: Heard;
  readonly closes: number[];
  /** Feeds it; there once it is started. */
  readonly sink: () => Sink;
}

export interface Heard extends Receiver {
  readonly log: string[];
  readonly messages: unknown[];
  readonly faults: TransportError[];
  readonly ends: (TransportError | undefined)[];
}

export function rig(carrier: Partial<Channel> = {}, traits: Partial<Traits> = {}, begin = true): Rig {
  const sent: string[] = [];
  const closes: number[] = [];
  let fed: Sink | undefined;
  const connection = createConnection(
    {
      start(sink) {
        fed = sink;
        carrier.start?.(sink);
      },
      send(text, envelope) {
        sent.push(text);
        return carrier.send?.(text, envelope);
      },
      close() {
        closes.push(1);
        return carrier.close?.();
      },
    },
    { ...pipeTraits, ...traits },
  );
  const heard = listener();
  if (begin) connection.start(heard);
  return { connection, sent, heard, closes, sink: () => fed! };
}

export function listener(): Heard {
  const log: string[] = [];
  const messages: unknown[] = [];
  const faults: TransportError[] = [];
  const ends: (TransportError | undefined)[] = [];
  return {
    log,
    messages,
    faults,
    ends,
    received: (message) => void (log.push('received'), messages.push(message)),
    laneClosed: () => void log.push('laneClosed'),
    fault: (error) => void (log.push('fault'), faults.push(error)),
    closed: (error) => void (log.push('closed'), ends.push(error)),
  };
}

export const note = (n: number, params = {}) =>
  ({ jsonrpc: '2.0', method: 'note', params: { n, ...params } }) as const;
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
