import {
  accepted,
  type Acceptor,
  type Carrier,
  type Connection,
  connectionOfValues,
  copiedJson,
  type DialOptions,
  notSent,
  type Outgoing,
  pipeTraits,
  type ServeHandle,
  Serving,
  type Sink,
  type Traits,
  type Transport,
  TransportError,
} from '@rxmcp/transport';
import { Burst, Direction } from './direction.js';

/** Options of {@link memory}. */
export interface MemoryOptions {
  /** Who the serving side sees at the other end. @default anonymous */
  readonly principal?: string;
  /** How many messages may wait in one direction before `send` makes its caller wait. @default 1024 */
  readonly maxQueued?: number;
  /** How long a full direction may stand still before the connection ends with `STALLED`, in milliseconds. @default 30000 */
  readonly stallMs?: number;
  /** Largest message in bytes. A finite limit costs an encoding of each message, to measure it. @default Infinity */
  readonly maxMessageBytes?: number;
}

/** A transport within one process, and the place to serve it. */
export interface MemoryLink extends Transport {
  /** Feeds every later dial to the acceptor, until the handle is drained or closed. Throws a TypeError while it is served already. */
  serve(acceptor: Acceptor): ServeHandle;
  /** The same link for another caller: its connections belong to that principal. */
  as(principal: string): Transport;
}

/**
 * Connects a client and a server in one process. Each dial makes a fresh connection; messages are isolated by a copy,
 * delivered in order and never inside `send`.
 */
export function memory(options: MemoryOptions = {}): MemoryLink {
  let serving: Serving | undefined;

  const dial = async (principal: string | undefined, { signal }: DialOptions = {}): Promise<Connection> => {
    if (signal?.aborted === true) {
      throw notSent('DIAL_ABORTED', 'The dial was aborted.', signal.reason);
    }
    if (serving === undefined) {
      throw new TransportError('DIAL_FAILED', 'Nobody serves this memory link.', { retryable: true });
    }
    const [dialled, accepted] = pair(options, principal);
    try {
      serving.accept(accepted);
    } catch (cause) {
      await accepted.close();
      throw TransportError.from(cause, 'DIAL_FAILED');
    }
    return dialled;
  };

  return {
    name: 'memory',
    dial: (dialOptions) => dial(options.principal, dialOptions),
    as: (principal) => ({ name: 'memory', dial: (dialOptions) => dial(principal, dialOptions) }),
    serve(acceptor) {
      if (serving !== undefined) throw new TypeError('This memory link is served already.');
      serving = new Serving(acceptor, () => {
        serving = undefined;
      });
      return serving;
    },
  };
}

/** What the two ends of a connection share. */
interface PairOptions {
  readonly maxQueued?: number;
  readonly stallMs?: number;
  readonly maxMessageBytes?: number;
}

/** Makes the two ends of one connection: the dialling one and the accepting one, which belongs to `principal`. */
function pair(
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
