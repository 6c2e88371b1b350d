import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import {
  acceptedImmediately,
  type ConnectionHandler,
  type Channel,
  type Connection,
  createValueConnection,
  type DialOptions,
  notSentError,
  type OutgoingMessage,
  pipeTraits,
  type ServeHandle,
  ConnectionSet,
  type Sink,
  type Traits,
  type Transport,
  TransportError,
} from '@rxmcp/transport';
import { copyAsJson } from '@rxmcp/transport/internal';
import { FlushScheduler, MessageQueue } from './message-queue.js';

/** Options of {@link memory}. */
export interface MemoryOptions {
  /** The principal of the client, as the server side sees it. @default anonymous */
  readonly principal?: string;
  /** How many messages may wait in one direction before `send` waits. @default 1024 */
  readonly maxQueuedMessages?: number;
  /** How long a full queue may make no progress before the connection ends with `STALLED`, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
  /** Largest message, in bytes. With a finite limit each message is encoded to measure it. @default Infinity */
  readonly maxMessageBytes?: number;
}

const knownOptions: Record<keyof MemoryOptions, true> = {
  principal: true,
  maxQueuedMessages: true,
  writeTimeoutMs: true,
  maxMessageBytes: true,
};

/** Connects clients and a server in one process, and serves them. */
export interface MemoryTransport extends Transport {
  /** Passes every later dial to the handler, until the returned handle is drained or closed. Throws a TypeError where it is already served. */
  serve(handler: ConnectionHandler): ServeHandle;
  /** Returns a transport to the same server whose connections belong to another principal. */
  asPrincipal(principal: string): Transport;
}

/**
 * Creates a transport between a client and a server in one process. Each dial creates a new connection. Messages are copied, and
 * delivered in order and never inside `send`.
 */
export function memory(options: MemoryOptions = {}): MemoryTransport {
  rejectUnknownOptions('memory', options, knownOptions, {
    stallMs: 'writeTimeoutMs',
  });
  let connections: ConnectionSet | undefined;

  const dial = async (principal: string | undefined, { signal }: DialOptions = {}): Promise<Connection> => {
    if (signal?.aborted === true) {
      throw notSentError('DIAL_ABORTED', 'the dial was aborted', signal.reason);
    }
    if (connections === undefined) {
      throw new TransportError('DIAL_FAILED', 'this memory link is not served', { retryable: true });
    }
    const [dialled, accepted] = createPair(options, principal);
    let failure: TransportError | undefined;
    const served = connections.accept(accepted, (cause) => {
      failure = TransportError.from(cause, 'DIAL_FAILED');
    });
    if (failure === undefined) return dialled;
    await served.closed;
    throw failure;
  };

  return {
    name: 'memory',
    dial: (dialOptions) => dial(options.principal, dialOptions),
    asPrincipal: (principal) => ({ name: 'memory', dial: (dialOptions) => dial(principal, dialOptions) }),
    serve(handler) {
      if (connections !== undefined) throw new TypeError('`serve`: this memory link is served already');
      connections = new ConnectionSet(handler, () => {
        connections = undefined;
      });
      return connections;
    },
  };
}

/** What the two ends of a connection share. */
interface PairOptions {
  readonly maxQueuedMessages?: number;
  readonly writeTimeoutMs?: number;
  readonly maxMessageBytes?: number;
}

/** Makes the two ends of one connection: the dialling one and the accepting one, which belongs to `principal`. */
function createPair(
  {
    maxQueuedMessages = 1_024,
    writeTimeoutMs = 30_000,
    maxMessageBytes = Number.POSITIVE_INFINITY,
  }: PairOptions,
  principal: string | undefined,
): [dialled: Connection, accepted: Connection] {
  const traits: Traits = { ...pipeTraits, maxMessageBytes };
  const burst = new FlushScheduler();
  const up = new MessageQueue(burst, maxQueuedMessages, writeTimeoutMs);
  const down = new MessageQueue(burst, maxQueuedMessages, writeTimeoutMs);
  return [
    createValueConnection(end(up, down), traits),
    createValueConnection(end(down, up), {
      ...traits,
      redialable: false,
      ...(principal === undefined ? {} : { principal }),
    }),
  ];
}

function end(out: MessageQueue, incoming: MessageQueue): Channel<OutgoingMessage> {
  return {
    start(sink: Sink) {
      out.onStalled = (error) => {
        incoming.stop();
        out.finish(error);
        sink.closed(error);
      };
      incoming.open(sink);
    },
    send: (message) => out.push(copyAsJson(message)) ?? acceptedImmediately,
    close() {
      incoming.stop();
      out.finish(undefined);
    },
  };
}
