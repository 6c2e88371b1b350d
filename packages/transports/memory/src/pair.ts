import {
  accepted,
  copiedJson,
  type Carrier,
  type Connection,
  connectionOfValues,
  type Outgoing,
  pipeTraits,
  type Sink,
  type Traits,
} from '@rxmcp/transport';
import { Burst } from './burst.js';
import { Direction } from './direction.js';

/** What the two ends of a connection share. */
export interface PairOptions {
  readonly maxQueued?: number;
  readonly stallMs?: number;
  readonly maxMessageBytes?: number;
}

/** Makes the two ends of one connection: the dialling one and the accepting one, which belongs to `principal`. */
export function pair(
  { maxQueued = 1_024, stallMs = 30_000, maxMessageBytes = Number.POSITIVE_INFINITY }: PairOptions,
  principal: string | undefined,
): [dialled: Connection, accepted: Connection] {
  const traits: Traits = { ...pipeTraits, maxMessageBytes };
  const burst = new Burst();
  const up = new Direction(burst, maxQueued, stallMs);
  const down = new Direction(burst, maxQueued, stallMs);
  return [
    connectionOfValues(end(up, down), traits),
    connectionOfValues(end(down, up), {
      ...traits,
      redialable: false,
      ...(principal === undefined ? {} : { principal }),
    }),
  ];
}

function end(out: Direction, incoming: Direction): Carrier<Outgoing> {
  return {
    start(sink: Sink) {
      out.onStalled = (error) => {
        incoming.stop();
        out.finish(error);
        sink.closed(error);
      };
      incoming.open(sink);
    },
    send: (message) => out.push(copiedJson(message)) ?? accepted,
    close() {
      incoming.stop();
      out.finish(undefined);
    },
  };
}
