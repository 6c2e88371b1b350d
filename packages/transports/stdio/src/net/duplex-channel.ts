import type { Duplex } from 'node:stream';
import type { WireError } from '@rxmcp/jsonrpc';
import { type Channel, notSentError, type Sink, TransportError } from '@rxmcp/transport';
import {
  isResponseText,
  SendQueue,
  shown,
  clampTimeout,
  type UnreadOutput,
  wireErrorToFault,
  settleWithin,
} from '@rxmcp/transport/internal';
import { IncomingLines, type LineMemory } from '../pipe/incoming-lines.js';
import { looksLikeMessage } from '../pipe/output-filter.js';

/** What a {@link DuplexChannel} is made of. */
export interface DuplexChannelOptions {
  /** The other side dialled, and this one serves it. */
  readonly isServer: boolean;
  readonly maxMessageBytes: number;
  readonly writeTimeoutMs: number;
  /** How long a served side waits for a first message. */
  readonly firstMessageTimeoutMs: number;
  /** Charged for what the other side has not sent in full. */
  readonly memory: LineMemory;
  /** Charges for what the other side does not read. @default nothing is charged */
  readonly unread?: UnreadOutput | undefined;
}

/** The limits of one side. */
interface SideLimits {
  readonly maxOverlong: number;
  readonly maxWaitingChars: number;
  counts(line: string): boolean;
}

/** A client ends the connection at the first line that is too long. It keeps reading while its own requests wait. */
const dialled: SideLimits = {
  maxOverlong: 1,
  maxWaitingChars: 4 * 1024 * 1024,
  counts: isResponseText,
};
/** A server answers a line that is too long, and reads no more requests while its responses are not read. */
const served: SideLimits = { maxOverlong: 3, maxWaitingChars: 1024 * 1024, counts: () => true };

const flushWithinMs = 1_000;
const partWithinMs = 1_000;

/** Lines from a stream of bytes and to it. */
export class DuplexChannel implements Channel {
  readonly #manner: SideLimits;
  readonly #writer: SendQueue;
  readonly #lines: IncomingLines;
  readonly #closed: Promise<unknown>;
  #cause: unknown;
  #overlong = 0;
  #heard = false;
  #hasEnded = false;
  #over = false;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly stream: Duplex,
    private readonly options: DuplexChannelOptions,
    private readonly sink: Sink,
  ) {
    this.#manner = options.isServer ? served : dialled;
    const { maxWaitingChars, counts } = this.#manner;
    this.#writer = new SendQueue({
      write: (text) => stream.write(text),
      failed: (error) => this.#cut(error),
      pressure: (over) => void (this.#over ? undefined : over ? this.#lines.pause() : this.#lines.resume()),
      counts,
      maxChars: maxWaitingChars,
      unread: options.unread,
      buffered: () => stream.writableLength,
      writeTimeoutMs: options.writeTimeoutMs,
    });
    this.#lines = new IncomingLines({
      ...options.memory,
      input: stream,
      maxLineBytes: options.maxMessageBytes,
      onLine: (text) => this.#line(text),
      onFault: (error) => this.#unreadable(error),
      exceeded: (error) => this.#cut(error),
    });
    stream.on('drain', () => this.#writer.onDrain());
    // Stays for good: an error that comes late must not be uncaught. `close` follows it.
    stream.on('error', (cause: unknown) => (this.#cause = cause));
    this.#closed = new Promise((resolve) => stream.once('close', resolve));
    stream.once('close', () => {
      options.unread?.end();
      // Where all has been read, what waits for its turn is still delivered, and ends the connection in order.
      if (!this.#hasEnded) this.#lines.end(() => this.#cut(this.#lost()));
    });
    if (stream.destroyed) queueMicrotask(() => this.#cut(this.#lost()));
  }

  start(): void {
    const { stream } = this;
    stream.on('data', (chunk: Uint8Array) => this.#lines.push(chunk));
    stream.once('end', () => {
      this.#hasEnded = true;
      this.#lines.end(() => this.#end(undefined));
    });
    const { firstMessageTimeoutMs } = this.options;
    if (!this.options.isServer || !Number.isFinite(firstMessageTimeoutMs)) return;
    this.#silence = setTimeout(() => {
      const message = `received no message within ${String(firstMessageTimeoutMs / 1_000)} s`;
      this.#cut(new TransportError('STALLED', message));
    }, clampTimeout(firstMessageTimeoutMs));
  }

  send(text: string): Promise<void> | void {
    if (this.#over || !this.stream.writable) {
      throw notSentError('CLOSED', 'the stream accepts no more data');
    }
    return this.#writer.send(text + '\n');
  }

  async close(): Promise<void> {
    clearTimeout(this.#silence);
    this.#lines.stop();
    if (!this.#over) await settleWithin(this.#writer.flushed(), flushWithinMs);
    this.#over = true;
    await this.#part();
  }

  #line(text: string): void {
    if (this.#isStranger() && !looksLikeMessage(text)) {
      // A browser that was made to post here speaks HTTP first, and the message only after it.
      const message = `expected a JSON-RPC message, received ${shown(text)}`;
      this.#cut(new TransportError('UNEXPECTED_OUTPUT', message));
      return;
    }
    this.#heard = true;
    clearTimeout(this.#silence);
    this.sink.text(text);
  }

  #isStranger(): boolean {
    return this.options.isServer && !this.#heard;
  }

  #unreadable(error: WireError): void {
    const fault = wireErrorToFault(error);
    if (error.code === 'PARSE_ERROR' && this.#isStranger()) return this.#cut(fault);
    this.sink.fault(fault);
    if (error.code !== 'OVERFLOW') return;
    this.#overlong += 1;
    if (this.#overlong === this.#manner.maxOverlong) this.#end(fault);
  }

  #lost(): TransportError {
    return new TransportError('CONNECTION_LOST', 'the stream was cut', { cause: this.#cause });
  }

  /** Ends without a word to the other side. */
  #cut(error: TransportError): void {
    this.stream.destroy();
    this.#end(error);
  }

  /** Ends; what was sent before may still go out. */
  #end(error: TransportError | undefined): void {
    clearTimeout(this.#silence);
    if (this.#over) return;
    this.#over = true;
    this.#lines.stop();
    this.sink.closed(error);
    void this.#part();
  }

  /** Parts from the other side in order, or without it when it takes too long. */
  async #part(): Promise<void> {
    const { stream } = this;
    this.#writer.stop();
    // Keep reading without delivering: unread bytes turn an orderly end into a reset.
    stream.end().resume();
    if (!stream.closed) await settleWithin(this.#closed, partWithinMs);
    stream.destroy();
  }
}
