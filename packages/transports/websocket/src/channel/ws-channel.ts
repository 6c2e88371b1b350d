import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type Channel, notSentError, type Sink, TransportError } from '@rxmcp/transport';
import {
  IncomingMessages,
  isResponseText,
  largeChars,
  loopTurns,
  setUnrefTimeout,
  type UnfinishedMessageBudget,
  type UnreadOutput,
} from '@rxmcp/transport/internal';
import type { WebSocket } from 'ws';
import { Backlog, highWaterBytes } from './backlog.js';
import {
  closeCodes,
  closedByPeer,
  connectionFailure,
  type ConnectionFailure,
  frameErrors,
  hasClosed,
  closeReason,
} from './close-codes.js';
import { Heartbeat } from './heartbeat.js';
import { queuedBelow } from './private-state.js';
import { chunkParser, UnfinishedMessages } from './unfinished-messages.js';

/** What a {@link WsChannel} needs to know. */
export interface WsChannelOptions {
  /** The stream below the socket: all messages of one turn are sent in one write. */
  readonly stream: Duplex;
  readonly writeTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  /** How long the first message may take after the start. @default for ever */
  readonly firstMessageTimeoutMs?: number;
  /**
   * Whether this side has dialled. It keeps reading while only its own requests wait, since the server may wait to be read. It reports
   * an orderly end by the server as an error, so that the client dials again.
   */
  readonly isDialled: boolean;
  /** The memory that the other side can make this one hold. */
  readonly memory: {
    /** The name under which the connection is charged. */
    readonly holder: string;
    readonly unfinished: UnfinishedMessageBudget;
    /** @default the backlog is limited, and not charged */
    readonly unread?: UnreadOutput;
  };
  /** The status code of an orderly close. */
  closeCode(): number;
}

/** How many fragments one message may come in. */
export const maxFragments = 16_384;

const textFrame = { binary: false };

/** How long a message of a client may take to arrive from its first byte, in milliseconds. */
const messageMs = 30_000;

/** Messages as text frames of an open socket of `ws`, on either side. */
export class WsChannel implements Channel {
  #sink: Sink | undefined;
  #ended: { readonly error: TransportError | undefined } | undefined;
  readonly #backlog: Backlog;
  readonly #heartbeat: Heartbeat;
  readonly #unfinished: UnfinishedMessages;
  readonly #closed: Promise<void>;
  readonly #incoming: IncomingMessages;
  #isCorked = false;
  #over = false;
  /** Nothing is ever written at once over TLS, so each turn has a callback there. */
  readonly #isEncrypted: boolean;
  #first: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ws: WebSocket,
    private readonly options: WsChannelOptions,
  ) {
    const { writeTimeoutMs, heartbeatIntervalMs, isDialled, memory, stream } = options;
    this.#isEncrypted = (stream as Partial<TLSSocket>).encrypted === true;
    this.#unfinished = new UnfinishedMessages(ws, {
      budget: memory.unfinished,
      holder: memory.holder,
      ...(isDialled ? {} : { timeoutMs: messageMs }),
      exceeded: (message) => this.#overflow(message),
      late: () => this.#late('a message did not arrive in full', messageMs),
    });
    this.#incoming = new IncomingMessages({
      socket: ws,
      parser: chunkParser(ws, this.#unfinished),
      holder: memory.holder,
      deliver: (text) => this.#sink?.text(text),
      delivered: () => this.#unfinished.taken(),
    });
    this.#backlog = new Backlog({
      buffered: () => ws.bufferedAmount,
      flush: this.#flush,
      probe: () => queuedBelow(options.stream),
      pressure: (isOver) => this.#throttle(isOver),
      ...(isDialled ? { counts: isResponseText } : {}),
      failed: (error) =>
        error.code === 'OVERFLOW'
          ? this.#overflow(error.message)
          : this.#fail({ error, closeCode: closeCodes.tryLater }),
      unread: memory.unread,
      writeTimeoutMs,
    });
    this.#heartbeat = new Heartbeat({
      intervalMs: heartbeatIntervalMs,
      // Sends that wait behind nothing but a ping go on when it is written.
      ping: () => ws.ping(undefined, undefined, this.#onWritten),
      // What waits to be taken has an alarm of its own, and a ping would wait behind it.
      isExcused: () => ws.isPaused || ws.bufferedAmount > 0,
      lost: () => this.#silent(),
    });
    ws.on('message', this.#onMessage);
    ws.on('ping', this.#onPing);
    stream.prependListener('data', ({ length }: Uint8Array) => this.#incoming.chunkRead(length));
    // After the one of `ws`, which has parsed the chunk by then.
    stream.on('data', this.#onChunk);
    ws.on('error', this.#onError);
    this.#closed = new Promise((resolve) => {
      ws.on('close', (code, reason) => {
        resolve();
        const error = closedByPeer(code, reason.toString());
        this.#incoming.end(() => this.#end(isDialled || error.code !== 'PEER_CLOSED' ? error : undefined));
        memory.unread?.end();
      });
    });
  }

  start(sink: Sink): void {
    const ended = this.#ended;
    this.#sink = sink;
    const hasMessages = this.#incoming.start();
    if (ended !== undefined) return sink.closed(ended.error);
    const { firstMessageTimeoutMs = Infinity } = this.options;
    if (Number.isFinite(firstMessageTimeoutMs) && !hasMessages) {
      const idle = (): void => this.#late('received no message', firstMessageTimeoutMs);
      this.#first = setUnrefTimeout(idle, firstMessageTimeoutMs);
    }
    this.#heartbeat.start();
    if (!this.#backlog.isOverLimit) this.ws.resume();
  }

  send(text: string): Promise<void> | void {
    const { ws } = this;
    if (ws.readyState !== ws.OPEN) {
      throw notSentError('CONNECTION_LOST', 'the other side is closing the connection');
    }
    const isFirst = !this.#isCorked;
    if (isFirst) {
      this.#isCorked = true;
      this.options.stream.cork();
      process.nextTick(this.#flush);
    }
    const isLarge = text.length >= largeChars;
    if (isLarge) loopTurns.begin();
    // A large text would be kept next to the bytes that the system makes of it.
    const data = isLarge ? Buffer.from(text) : text;
    ws.send(data, textFrame, isFirst && this.#isEncrypted ? this.#onWritten : undefined);
    return this.#backlog.sent(text);
  }

  async close(): Promise<void> {
    this.#over = true;
    this.#release();
    await this.#closeSocket(this.options.closeCode());
  }

  readonly #flush = (): void => {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    const { stream } = this.options;
    stream.uncork();
    if (this.#over) return;
    if (this.ws.bufferedAmount === 0) return this.#backlog.moved();
    this.#backlog.watch();
    // Only the rest needs a callback: a callback with every message would cost a tick for each.
    if (!this.#isEncrypted && stream.writable) stream.write('', this.#onWritten);
  };

  /** What was left of a turn is written, or lost with the socket: then the end of the connection settles the sends that wait. */
  readonly #onWritten = (error?: Error | null): void => {
    if (error == null) this.#backlog.moved();
  };

  readonly #onMessage = (data: unknown, isBinary: boolean): void => {
    // Until the other side closes too, its messages are dropped.
    if (this.#over) return this.#unfinished.finished(false);
    if (this.#first !== undefined) {
      clearTimeout(this.#first);
      this.#first = undefined;
    }
    if (isBinary) {
      this.#unfinished.finished(false);
      this.#fail(
        connectionFailure('INVALID_MESSAGE', 'a binary frame is not a message', closeCodes.unsupportedData),
      );
      return;
    }
    // `ws` has checked that it is UTF-8, and passes a Buffer by default.
    const isWaiting = this.#incoming.add((data as Buffer).toString());
    this.#unfinished.finished(isWaiting);
  };

  /** Whatever comes is a sign of life, also a part of a large message. */
  readonly #onChunk = ({ length }: Uint8Array): void => {
    this.#heartbeat.received();
    if (this.#incoming.isHeld) this.#unfinished.unparsed(length);
    else this.#unfinished.parsed(length);
  };

  /** Answers no ping of a peer that does not read, or that has used up a turn: a later ping is answered instead. */
  readonly #onPing = (data: Buffer): void => {
    const { ws } = this;
    if (ws.readyState === ws.OPEN && ws.bufferedAmount <= highWaterBytes && !loopTurns.isOver) ws.pong(data);
  };

  /** Handles invalid frames, which `ws` has already reported to the other side. The following `close` reports network errors. */
  readonly #onError = (cause: NodeJS.ErrnoException): void => {
    const { code = '' } = cause;
    if (!code.startsWith('WS_ERR_')) return;
    const [kind, closeCode] = frameErrors.get(code) ?? ['INVALID_MESSAGE', closeCodes.protocolError];
    this.#end(connectionFailure(kind, `received an invalid frame: ${cause.message}`, closeCode, cause).error);
    void this.#closeSocket(closeCode);
  };

  /** Ends it in order: the credentials of the client have expired. */
  expire(): void {
    this.#end(undefined);
    void this.#closeSocket(closeCodes.unauthorized, 'the credentials of this connection have expired');
  }

  #late(what: string, afterMs: number): void {
    const message = `${what} within ${afterMs / 1_000} s`;
    this.#fail(connectionFailure('CONNECTION_LOST', message, closeCodes.policy));
  }

  #silent(): void {
    const apart = `${this.options.heartbeatIntervalMs / 1_000} s apart`;
    this.#end(new TransportError('CONNECTION_LOST', `received nothing after two pings, ${apart}`));
    this.ws.terminate();
  }

  /** Does not read a peer that does not read. */
  #throttle(isOver: boolean): void {
    if (this.#sink === undefined || this.#over) return;
    if (isOver) this.#incoming.pause();
    else this.#incoming.resume();
  }

  /** Ends a connection that holds too much: it is cut at once, which releases the memory. */
  #overflow(message: string): void {
    const { ws } = this;
    if (!this.#over) {
      const { error, closeCode } = connectionFailure('OVERFLOW', message, closeCodes.tryLater);
      this.#end(error);
      ws.close(closeCode, closeReason(message));
      this.#flush();
    }
    ws.pause();
    setImmediate(() => ws.terminate());
  }

  #fail({ error, closeCode }: ConnectionFailure): void {
    if (this.#over) return;
    this.#end(error);
    void this.#closeSocket(closeCode, closeReason(error.message));
  }

  async #closeSocket(closeCode: number, reason?: string): Promise<void> {
    const { ws } = this;
    ws.close(closeCode, reason);
    this.#flush();
    // The close frame of the other side must be read, also where nothing was read before.
    ws.resume();
    if (ws.readyState === ws.CLOSED) return;
    if (await hasClosed(this.#closed, () => ws.bufferedAmount + queuedBelow(this.options.stream))) return;
    ws.terminate();
    await this.#closed;
  }

  #end(error: TransportError | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#release();
    this.#ended = { error };
    this.#sink?.closed(error);
  }

  #release(): void {
    clearTimeout(this.#first);
    this.#heartbeat.stop();
    this.#backlog.stop();
    if (this.#sink !== undefined) this.#incoming.stop();
  }
}
