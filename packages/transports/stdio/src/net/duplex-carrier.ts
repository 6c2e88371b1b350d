import type { Duplex } from 'node:stream';
import { LineReader, type WireError } from '@rxmcp/jsonrpc';
import {
  type Carrier,
  isAnswer,
  notSent,
  SendQueue,
  shown,
  type Sink,
  timerMs,
  TransportError,
  wireFault,
  within,
} from '@rxmcp/transport';
import { mayBeMessage } from '../noise-filter.js';

/** What a {@link DuplexCarrier} is made of. */
export interface DuplexCarrierOptions {
  /** The other side dialled, and this one serves it. */
  readonly served: boolean;
  readonly maxMessageBytes: number;
  readonly stallMs: number;
  /** How long a served side waits for a first message. */
  readonly firstMessageMs: number;
}

/** What a side does that has to be patient with the other one, or need not. */
interface Manner {
  readonly maxOverlong: number;
  readonly maxWaitingChars: number;
  counts(line: string): boolean;
}

/** A client gives up a server that sends what is too long; it reads on whatever it wants of the server itself. */
const dialled: Manner = {
  maxOverlong: 1,
  maxWaitingChars: 4 * 1024 * 1024,
  counts: isAnswer,
};
/** A server answers a line that is too long, and reads no more requests while its answers are not read. */
const served: Manner = { maxOverlong: 3, maxWaitingChars: 1024 * 1024, counts: () => true };

const flushWithinMs = 1_000;
const partWithinMs = 1_000;

/** Lines from a stream of bytes and to it. */
export class DuplexCarrier implements Carrier {
  private readonly manner: Manner;
  private readonly writer: SendQueue;
  private readonly reader: LineReader;
  private readonly gone: Promise<unknown>;
  private cause: unknown;
  private overlong = 0;
  private heard = false;
  private over = false;
  private silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly stream: Duplex,
    private readonly options: DuplexCarrierOptions,
    private readonly sink: Sink,
  ) {
    this.manner = options.served ? served : dialled;
    const { maxWaitingChars, counts } = this.manner;
    this.writer = new SendQueue({
      write: (text) => stream.write(text),
      failed: (error) => this.cut(error),
      pressure: (over) => void (this.over ? undefined : over ? stream.pause() : stream.resume()),
      counts,
      maxChars: maxWaitingChars,
      stallMs: options.stallMs,
    });
    this.reader = new LineReader({
      maxBytes: options.maxMessageBytes,
      line: (text) => this.line(text),
      fault: (error) => this.unreadable(error),
    });
    stream.on('drain', () => this.writer.onDrain());
    // Stays for good: an error that comes late must not be uncaught. `close` follows it.
    stream.on('error', (cause: unknown) => (this.cause = cause));
    this.gone = new Promise((resolve) => stream.once('close', resolve));
    stream.once('close', () => this.cut(this.lost()));
    if (stream.destroyed) queueMicrotask(() => this.cut(this.lost()));
  }

  start(): void {
    const { stream } = this;
    stream.on('data', (chunk: Uint8Array) => this.reader.push(chunk));
    stream.once('end', () => {
      this.reader.end();
      this.end(undefined);
    });
    const { firstMessageMs } = this.options;
    if (!this.options.served || !Number.isFinite(firstMessageMs)) return;
    this.silence = setTimeout(() => {
      const message = `No message came in ${String(firstMessageMs / 1_000)} s.`;
      this.cut(new TransportError('STALLED', message));
    }, timerMs(firstMessageMs));
  }

  send(text: string): Promise<void> | void {
    if (this.over || !this.stream.writable) {
      throw notSent('CLOSED', 'The stream takes no more.');
    }
    return this.writer.send(text + '\n');
  }

  async close(): Promise<void> {
    clearTimeout(this.silence);
    this.reader.stop();
    if (!this.over) await within(this.writer.flushed(), flushWithinMs);
    this.over = true;
    await this.part();
  }

  private line(text: string): void {
    if (this.isStranger() && !mayBeMessage(text)) {
      // A browser that was made to post here speaks HTTP first, and the message only after it.
      const message = `The other side does not speak this protocol; it began with ${shown(text)}`;
      this.cut(new TransportError('NOISE', message));
      return;
    }
    this.heard = true;
    clearTimeout(this.silence);
    this.sink.text(text);
  }

  private isStranger(): boolean {
    return this.options.served && !this.heard;
  }

  private unreadable(error: WireError): void {
    const fault = wireFault(error);
    if (error.code === 'PARSE_ERROR' && this.isStranger()) return this.cut(fault);
    this.sink.fault(fault);
    if (error.code !== 'OVERFLOW') return;
    this.overlong += 1;
    if (this.overlong === this.manner.maxOverlong) this.end(fault);
  }

  private lost(): TransportError {
    return new TransportError('CONNECTION_LOST', 'The stream was cut.', { cause: this.cause });
  }

  /** Ends without a word to the other side. */
  private cut(error: TransportError): void {
    this.stream.destroy();
    this.end(error);
  }

  /** Ends; what was sent before may still go out. */
  private end(error: TransportError | undefined): void {
    clearTimeout(this.silence);
    if (this.over) return;
    this.over = true;
    this.reader.stop();
    this.sink.closed(error);
    void this.part();
  }

  /** Parts from the other side in order, or without it when it takes too long. */
  private async part(): Promise<void> {
    const { stream } = this;
    this.writer.stop();
    // Read on, unheard: bytes that nobody took turn an orderly end into a reset.
    stream.end().resume();
    if (!stream.closed) await within(this.gone, partWithinMs);
    stream.destroy();
  }
}
