import { encodeFrame, FrameReader } from '@rxmcp/jsonrpc';
import {
  type Channel,
  type Connection,
  type ConnectionHandler,
  ConnectionSet,
  createConnection,
  pipeTraits,
  type Sink,
  TransportError,
} from '@rxmcp/transport';
import { type Fixture, Relay, type RelayEnd, type RelayFlow } from '../../src/index.js';

/** What reads the bytes of one side. */
export interface ByteReader {
  push(bytes: Uint8Array): void;
  end(): void;
}

/** What a stream of bytes is made of. A mutant replaces one part. */
export interface StreamParts {
  encode(text: string): Uint8Array;
  reader(sink: Sink, isServer: boolean): ByteReader;
  /** The bytes have ended. */
  ended(sink: Sink, isLost: boolean): void;
  /** Opens a connection for a dial that may be aborted. */
  dial(connect: () => StreamEnd, signal: AbortSignal | undefined): Promise<StreamEnd>;
  /** Waits for the other side to end too. */
  closing(end: StreamEnd): Promise<void>;
}

const maxMessageBytes = 64 * 1024;
/** More unread bytes than this make a send wait. */
const window = 256 * 1024;
const closeTimeoutMs = 200;

/** Both sides of streams of bytes in this process, with a relay between them; `change` breaks them. */
export function streamFixture(
  handler: ConnectionHandler,
  change: (parts: StreamParts) => Partial<StreamParts> = () => ({}),
): Fixture {
  const parts: StreamParts = { ...working };
  Object.assign(parts, change({ ...working }));
  const relay = new Relay({ frame: withLength });
  let stopped = false;
  const serving = new ConnectionSet(handler, () => (stopped = true));
  const connect = (): StreamEnd => {
    if (stopped) throw new TransportError('DIAL_FAILED', 'The stream is closed.');
    const client = new StreamEnd(parts, false);
    const served = new StreamEnd(parts, true);
    const { towardsServed, towardsDialled } = relay.join(served, client);
    client.out = towardsServed;
    served.out = towardsDialled;
    client.peer = served;
    serving.accept(served.connection);
    return client;
  };
  return {
    transport: {
      name: 'stream',
      dial: async ({ signal } = {}) => (await parts.dial(connect, signal)).connection,
    },
    relay,
    close: () => serving.close(),
  };
}

const working: StreamParts = {
  encode: encodeFrame,
  reader(sink) {
    const { bytes: onFrame, fault: onFault } = sink;
    const reader = new FrameReader({ maxFrameBytes: maxMessageBytes, onFrame, onFault });
    return { push: (bytes) => reader.push(bytes), end: () => reader.end() };
  },
  ended: (sink, isLost) =>
    sink.closed(isLost ? new TransportError('CONNECTION_LOST', 'The stream was cut.') : undefined),
  async dial(connect, signal) {
    await Promise.resolve();
    if (signal?.aborted === true) throw new TransportError('DIAL_ABORTED', 'The dial was aborted.');
    return connect();
  },
  closing(end) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closeTimeoutMs);
    });
    return Promise.race([end.over, late]).finally(() => clearTimeout(timer));
  },
};

function withLength(bytes: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(bytes.length);
  return Buffer.concat([head, bytes]);
}

/** One side of a stream. */
export class StreamEnd implements RelayEnd {
  out: RelayFlow | undefined;
  peer: StreamEnd | undefined;
  /** Settles when something has arrived. */
  readonly arrived: Promise<void>;
  /** Settles when what this side receives has ended. */
  readonly over: Promise<void>;
  readonly connection: Connection;
  readonly #inbox: (Uint8Array | 'end' | 'cut')[] = [];
  readonly #waiting = new Set<() => void>();
  #hasArrived: () => void = () => undefined;
  #isOver: () => void = () => undefined;
  #unread = 0;
  #reads = false;
  #scheduled = false;
  #reader: ByteReader | undefined;
  #ended: (isLost: boolean) => void = () => undefined;

  constructor(parts: StreamParts, isServer: boolean) {
    this.arrived = new Promise((resolve) => (this.#hasArrived = resolve));
    this.over = new Promise((resolve) => (this.#isOver = resolve));
    const channel = (sink: Sink): Channel => {
      this.#reader = parts.reader(sink, isServer);
      this.#ended = (isLost) => parts.ended(sink, isLost);
      return {
        start: () => this.#read(true),
        send: (text) => this.out?.pass(parts.encode(text)),
        pause: () => this.#read(false),
        resume: () => this.#read(true),
        close: () => {
          this.out?.end();
          this.#read(true);
          return parts.closing(this);
        },
      };
    };
    const options = { isServer };
    this.connection = createConnection(channel, { ...pipeTraits, maxMessageBytes }, options);
  }

  write(bytes: Uint8Array): Promise<void> | void {
    this.#hasArrived();
    this.#inbox.push(bytes);
    this.#unread += bytes.length;
    this.#schedule();
    if (this.#unread > window) return new Promise((resolve) => this.#waiting.add(resolve));
  }

  end(): void {
    this.#inbox.push('end');
    this.#schedule();
  }

  cut(): void {
    this.#inbox.splice(0, Infinity, 'cut');
    this.#schedule();
  }

  #read(reads: boolean): void {
    this.#reads = reads;
    this.#schedule();
  }

  #schedule(): void {
    const [next] = this.#inbox;
    if (this.#scheduled || next === undefined || (!this.#reads && typeof next !== 'string')) return;
    this.#scheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    const chunk = this.#inbox.shift();
    if (chunk instanceof Uint8Array) {
      this.#unread -= chunk.length;
      this.#reader?.push(chunk);
    } else if (chunk !== undefined) {
      this.#reader?.end();
      this.out?.end();
      this.#isOver();
      this.#unread = 0;
      this.#ended(chunk === 'cut');
    }
    if (this.#unread <= window) for (const go of this.#waiting) go();
    if (this.#unread <= window) this.#waiting.clear();
    this.#schedule();
  }
}
