import { WireError } from '@rxmcp/jsonrpc';
import { withRequestId } from '@rxmcp/jsonrpc/internal';
import {
  type Channel,
  type Connection,
  createConnection,
  notSentError,
  pipeTraits,
  type Sink,
  TransportError,
} from '@rxmcp/transport';
import { wireErrorToFault } from '@rxmcp/transport/internal';
import { isWorker, closePort, listenToPort, type PortLike } from './port-like.js';
import { UnreadMessages } from './unread-messages.js';
import { measureMessage } from './measure-message.js';
import {
  closeMessage,
  isControlMessage,
  readReceipt,
  readCount,
  type ControlMessage,
} from './control-messages.js';

/** What a {@link PortChannel} is made of. */
export interface PortChannelOptions {
  readonly port: PortLike;
  /** A worker is ended with the connection. A port is closed in any case. */
  readonly endsWorker: boolean;
  /** The other side knows messages only, and none of our words. */
  readonly protocolOnly: boolean;
  readonly maxMessageBytes: number;
  readonly writeTimeoutMs: number;
}

/**
 * How many messages are read before the other side is notified. It may send four times as many messages, or 1 Mi characters of
 * JSON, without a notification. A size measured here may be six times as large there.
 */
const reportEachMessages = 256;
const tellEachChars = 128 * 1024;
/** How much is kept for a side that has not started. */
const maxHeldChars = 64 * 1024 * 1024;
/** How long a worker that we end may take to read what it was sent. */
const lastWordsMs = 1_000;

/** Structured clones over one port. It listens from the beginning, since neither a worker nor an end waits for `start`. */
export class PortChannel implements Channel {
  private readonly unread: UnreadMessages;
  private readonly unlisten: () => void;
  private started = false;
  private over = false;
  private hasReceived = false;
  private held: unknown[] = [];
  private heldChars = 0;
  private readMessages = 0;
  private readChars = 0;
  private failure: unknown;
  private ended: { readonly error: TransportError | undefined } | undefined;
  private heardLast: (() => void) | undefined;

  constructor(
    private readonly options: PortChannelOptions,
    private readonly sink: Sink,
  ) {
    this.unread = new UnreadMessages({
      writeTimeoutMs: options.writeTimeoutMs,
      failed: (error) => this.end(error),
    });
    this.unlisten = listenToPort(options.port, {
      message: (data) => this.arrived(data),
      unreadable: () => this.unreadable(),
      closed: (exitCode) => this.end(this.loss(exitCode)),
      failed: (cause) => this.failed(cause),
    });
  }

  start(): void {
    this.started = true;
    const held = this.held;
    this.held = [];
    for (const data of held) this.hand(data);
    if (this.ended !== undefined) this.sink.closed(this.ended.error);
  }

  send(text: string): Promise<void> | void {
    if (this.over) throw notSentError('CLOSED', 'the other side is closed');
    this.options.port.postMessage(JSON.parse(text));
    if (!this.options.protocolOnly) return this.unread.add(text.length);
  }

  async close(): Promise<void> {
    this.held = [];
    this.ended = undefined;
    if (this.over) return;
    this.over = true;
    const { port, endsWorker, protocolOnly } = this.options;
    this.post(closeMessage);
    if (isWorker(port) && endsWorker && !protocolOnly) await this.lastWords();
    await this.release();
  }

  private arrived(data: unknown): void {
    this.hasReceived = true;
    const { protocolOnly } = this.options;
    if (!protocolOnly && isControlMessage(data, 'bye')) this.end(undefined);
    if (this.over) return;
    const messages = protocolOnly ? 0 : readCount(data);
    if (messages > 0) this.unread.read(messages);
    else if (this.started) this.hand(data);
    else this.hold(data);
  }

  private hold(data: unknown): void {
    this.held.push(data);
    this.heldChars += this.charsOf(data) ?? this.options.maxMessageBytes;
    if (this.heldChars <= maxHeldChars) return;
    this.held = [];
    this.end(new TransportError('OVERFLOW', 'too many messages arrived before the connection was started'));
  }

  private hand(data: unknown): void {
    const chars = this.charsOf(data, (error) =>
      this.sink.fault(wireErrorToFault(withRequestId(error, data))),
    );
    if (typeof data === 'string') this.sink.text(data);
    else if (chars !== undefined) this.sink.value(data);
    this.readMessages += 1;
    // What is refused may have been as long as anything.
    this.readChars += chars ?? tellEachChars;
    if (this.readMessages < reportEachMessages && this.readChars < tellEachChars) return;
    this.post(readReceipt(this.readMessages));
    this.readMessages = 0;
    this.readChars = 0;
  }

  private charsOf(data: unknown, refused?: (error: WireError) => void): number | undefined {
    if (typeof data === 'string') return data.length;
    try {
      return measureMessage(data, this.options.maxMessageBytes);
    } catch (error) {
      refused?.(error as WireError);
      return undefined;
    }
  }

  private unreadable(): void {
    if (this.over) return;
    const text = 'a message cannot be put together again on this side';
    this.sink.fault(wireErrorToFault(new WireError('PARSE_ERROR', text)));
  }

  private failed(cause: unknown): void {
    this.failure = cause;
    // A worker in Node exits after this. A worker in a browser continues, unless its script could not be loaded.
    if (!this.hasReceived && 'addEventListener' in this.options.port) this.end(this.loss());
  }

  /** The error of an end without a closing message, which is in order only with `protocolOnly`. */
  private loss(exitCode?: number): TransportError | undefined {
    if (this.options.protocolOnly && (exitCode ?? 0) === 0 && this.failure === undefined) return undefined;
    return new TransportError('CONNECTION_LOST', 'the other side of the port is closed', {
      cause: this.failure,
      ...(exitCode === undefined ? {} : { details: { exitCode } }),
    });
  }

  private end(error: TransportError | undefined): void {
    this.heardLast?.();
    if (this.over) return;
    this.over = true;
    this.post(closeMessage);
    void this.release();
    // What came before the end is delivered before it.
    if (this.started || this.held.length === 0) this.sink.closed(error);
    else this.ended = { error };
  }

  private lastWords(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lastWordsMs);
      this.heardLast = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async release(): Promise<void> {
    this.unread.stop();
    this.unlisten();
    const { port, endsWorker } = this.options;
    if (isWorker(port) && !endsWorker) return;
    await closePort(port);
  }

  private post(word: ControlMessage): void {
    if (this.options.protocolOnly) return;
    try {
      this.options.port.postMessage(word);
    } catch {
      // A port that throws has no other side any more.
    }
  }
}

/** Options of both sides of a port. */
export interface MessagePortOptions {
  /** Largest message in either direction, in bytes. @default 10485760 */
  readonly maxMessageBytes?: number;
  /** How long a side that takes nothing is waited for, in milliseconds, before `STALLED`. @default 30000 */
  readonly writeTimeoutMs?: number;
  /**
   * Whether the other side is not this package and understands only messages of the protocol. Then no control messages are sent:
   * sends never wait, and an end without an error counts as orderly. @default false
   */
  readonly protocolOnly?: boolean;
}

/** The names of {@link MessagePortOptions}. */
export const knownPortOptions: Record<keyof MessagePortOptions, true> = {
  maxMessageBytes: true,
  writeTimeoutMs: true,
  protocolOnly: true,
};

/** Names of {@link MessagePortOptions} that users try. */
export const alikePortOptions = { stallMs: 'writeTimeoutMs', plain: 'protocolOnly' };

/** What only one of the sides says. */
interface PortSide extends MessagePortOptions {
  readonly endsWorker: boolean;
  readonly redialable: boolean;
  readonly principal?: string;
}

/** A connection over one port. */
export function createPortConnection(port: PortLike, side: PortSide): Connection {
  const {
    maxMessageBytes = pipeTraits.maxMessageBytes,
    writeTimeoutMs = 30_000,
    protocolOnly = false,
  } = side;
  const { endsWorker, redialable, principal } = side;
  return createConnection(
    (sink) => new PortChannel({ port, endsWorker, protocolOnly, maxMessageBytes, writeTimeoutMs }, sink),
    { ...pipeTraits, maxMessageBytes, redialable, ...(principal === undefined ? {} : { principal }) },
  );
}
