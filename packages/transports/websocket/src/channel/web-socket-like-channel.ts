import type { TransportError } from '@rxmcp/transport';
import {
  type Channel,
  type Connection,
  createConnection,
  estimateRequestBytes,
  notSentError,
  pipeTraits,
  processMemory,
  type Sink,
  type Traits,
} from '@rxmcp/transport';
import { connectionHolder, EarlyMessages, UnreadOutput } from '@rxmcp/transport/internal';
import { Backlog } from './backlog.js';
import {
  closeCodes,
  closedByPeer,
  connectionFailure,
  type ConnectionFailure,
  hasClosed,
  closeReason,
} from './close-codes.js';
import { defaults } from './web-socket-options.js';

/** What `webSocketConnection` needs of a socket: that of browsers and Node, of `ws`, of Deno, Bun and edge runtimes has it. */
export interface WebSocketLike {
  /** 0 connecting, 1 open, 2 closing, 3 closed. */
  readonly readyState: number;
  /** Bytes that were sent and have not left. A socket without it is one whose sends never wait. */
  readonly bufferedAmount?: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  addEventListener(type: 'error', listener: () => void): void;
}

const connecting = 0;
const open = 1;
const closed = 3;
/** How often a socket that says nothing of its writes is asked about them. */
const askEachMs = 20;
/** Less than this is not charged, in bytes. */
const chargedBytes = 16 * 1024;

/** Messages as text frames of a socket that cannot be paused: what comes before the start is kept. */
export class WebSocketLikeChannel implements Channel {
  readonly #backlog: Backlog;
  readonly #closed: Promise<void>;
  #sink: Sink | undefined;
  #ended: { readonly error: TransportError | undefined } | undefined;
  #held: string[] | undefined = [];
  readonly #early: EarlyMessages;
  #over = false;
  #asking: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param isDialled An end in order is an error here, which has this side dial again.
   * @param unread Charges for what the other side has not read.
   */
  constructor(
    private readonly socket: WebSocketLike,
    writeTimeoutMs: number,
    isDialled: boolean,
    holder = connectionHolder(),
    private readonly unread?: UnreadOutput,
  ) {
    this.#early = new EarlyMessages({ holder });
    if (socket.readyState === connecting)
      throw new TypeError('the "socket" must be open: wait for its "open" event');
    this.#backlog = new Backlog({
      buffered: () => socket.bufferedAmount ?? 0,
      probe: () => socket.bufferedAmount ?? 0,
      failed: (error) => this.#fail({ error, closeCode: closeCodes.tryLater }),
      unread,
      writeTimeoutMs,
    });
    this.#closed = new Promise((resolve) => {
      socket.addEventListener('close', ({ code, reason }) => {
        resolve();
        unread?.end();
        const error = closedByPeer(code, reason);
        this.#end(isDialled || error.code !== 'PEER_CLOSED' ? error : undefined);
      });
      if (socket.readyState === closed) resolve();
    });
    socket.addEventListener('message', ({ data }) => this.#message(data));
    // A close follows.
    socket.addEventListener('error', () => undefined);
    if (socket.readyState !== open) this.#end(closedByPeer(closeCodes.abnormal, ''));
  }

  start(sink: Sink): void {
    const held = this.#held ?? [];
    const ended = this.#ended;
    this.#sink = sink;
    this.#held = undefined;
    this.#early.release();
    for (const text of held) sink.text(text);
    if (ended !== undefined) sink.closed(ended.error);
  }

  send(text: string): Promise<void> | void {
    if (this.socket.readyState !== open) {
      throw notSentError('CONNECTION_LOST', 'the other side is closing the connection');
    }
    this.socket.send(text);
    const waiting = this.#backlog.sent(text);
    if (this.#isBehind) {
      this.#backlog.watch();
      this.#ask();
    }
    return waiting;
  }

  /** Whether so much waits that it is to be asked for. */
  get #isBehind(): boolean {
    const { bufferedAmount = 0 } = this.socket;
    return this.#backlog.isFull || (this.unread !== undefined && bufferedAmount >= chargedBytes);
  }

  async close(): Promise<void> {
    this.#over = true;
    this.#release();
    this.#held = undefined;
    this.#early.release();
    this.socket.close(closeCodes.normal);
    // Such a socket cannot be cut; what the other side does not answer, its platform ends some time.
    await hasClosed(this.#closed, () => this.socket.bufferedAmount ?? 0);
  }

  #message(data: unknown): void {
    if (this.#over) return;
    if (typeof data !== 'string') {
      this.#fail(
        connectionFailure('INVALID_MESSAGE', 'a binary frame is not a message', closeCodes.unsupportedData),
      );
    } else if (this.#held === undefined) {
      this.#sink?.text(data);
    } else if (this.#early.add(estimateRequestBytes(data))) {
      this.#held.push(data);
    } else {
      this.#held = [];
      this.#early.release();
      this.#fail(connectionFailure('OVERFLOW', this.#early.error().message, closeCodes.policy));
    }
  }

  /** Looks at what waits until sends need not wait any more, and little is charged. */
  #ask(): void {
    if (this.#asking !== undefined) return;
    const before = this.socket.bufferedAmount ?? 0;
    const look = (): void => {
      this.#asking = undefined;
      const { bufferedAmount = 0 } = this.socket;
      if (bufferedAmount < before || bufferedAmount === 0) this.#backlog.moved();
      if (this.#isBehind && !this.#over) this.#ask();
    };
    this.#asking = setTimeout(look, askEachMs);
  }

  #fail({ error, closeCode }: ConnectionFailure): void {
    if (this.#over) return;
    this.#end(error);
    // Browsers let a page say 1000 and the codes of applications only.
    for (const code of [closeCode, 3_000 + closeCode]) {
      try {
        this.socket.close(code, closeReason(error.message));
        return;
      } catch {
        // The other one, or none.
      }
    }
  }

  #end(error: TransportError | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#release();
    this.#ended = { error };
    this.#sink?.closed(error);
  }

  #release(): void {
    clearTimeout(this.#asking);
    this.#backlog.stop();
  }
}

/**
 * Makes a connection of an open socket of whatever origin, on either side: one message per text frame. What comes before
 * `start` is kept, 4,096 messages and 64 MiB of it. A close with 1000, 1001, 1005 or 1012 is an end in order, which is `PEER_CLOSED`
 * where `traits.redialable` says that this side has dialled; any other one is `CONNECTION_LOST`, and a binary frame
 * `INVALID_MESSAGE`. On a served side, what the other side has not read is charged to `traits.holder` in the memory of the process.
 * Origin, credentials, subprotocol and pings are the caller's to see to. MCP 2026-07-28 basic, transports, custom transports.
 * @param traits Where it differs from a pipe that is not dialled again, with messages of 4 MiB at most.
 * @throws TypeError for a socket that is still connecting
 */
export function webSocketConnection(socket: WebSocketLike, traits: Partial<Traits> = {}): Connection {
  const { maxMessageBytes } = defaults;
  const all: Traits = { ...pipeTraits, maxMessageBytes, redialable: false, ...traits };
  const { redialable, holder = connectionHolder() } = all;
  const unread = redialable ? undefined : new UnreadOutput(processMemory(), holder);
  const { writeTimeoutMs } = defaults;
  return createConnection(new WebSocketLikeChannel(socket, writeTimeoutMs, redialable, holder, unread), all);
}
