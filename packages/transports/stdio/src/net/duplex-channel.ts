import type { Duplex } from 'node:stream';
import { LineReader, type WireError } from '@rxmcp/jsonrpc';
import { type Channel, type MemoryBudget, notSentError, type Sink, TransportError } from '@rxmcp/transport';
import {
  connectionHolder,
  HeldBytes,
  IncomingMessages,
  isAnswer,
  SendQueue,
  shown,
  clampTimeout,
  UnreadOutput,
  wireErrorToFault,
  settleWithin,
} from '@rxmcp/transport/internal';
import { looksLikeMessage } from '../output-filter.js';
import { lineMs, UnfinishedLine } from './unfinished-line.js';

/** What a {@link DuplexChannel} is made of. */
export interface DuplexChannelOptions {
  /** The other side dialled, and this one serves it. */
  readonly isServer: boolean;
  readonly maxMessageBytes: number;
  readonly writeTimeoutMs: number;
  /** How long a served side waits for a first message. */
  readonly firstMessageTimeoutMs: number;
  /** What the other side can make this one keep is charged to it. @default nothing is charged */
  readonly account?: ConnectionMemory | undefined;
}

/** The account of a served connection. */
export interface ConnectionMemory {
  readonly memory: MemoryBudget;
  /** The name under which the connection is charged. */
  readonly holder: string;
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
  counts: isAnswer,
};
/** A server answers a line that is too long, and reads no more requests while its answers are not read. */
const served: SideLimits = { maxOverlong: 3, maxWaitingChars: 1024 * 1024, counts: () => true };

const flushWithinMs = 1_000;
const partWithinMs = 1_000;

/** Lines from a stream of bytes and to it. */
export class DuplexChannel implements Channel {
  private readonly manner: SideLimits;
  private readonly writer: SendQueue;
  private readonly reader: LineReader;
  private readonly incoming: IncomingMessages;
  private readonly unread: UnreadOutput | undefined;
  private readonly unfinished: UnfinishedLine | undefined;
  private readonly gone: Promise<unknown>;
  private cause: unknown;
  private overlong = 0;
  private heard = false;
  private over = false;
  /** The other side has sent everything. */
  private hasEnded = false;
  private silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly stream: Duplex,
    private readonly options: DuplexChannelOptions,
    private readonly sink: Sink,
  ) {
    const { account } = options;
    this.manner = options.isServer ? served : dialled;
    this.unread = account && new UnreadOutput(account.memory, account.holder);
    this.incoming = new IncomingMessages({
      socket: stream,
      holder: account?.holder ?? connectionHolder(),
      deliver: (text) => this.sink.text(text),
      delivered: () => this.charge(),
    });
    const { maxWaitingChars, counts } = this.manner;
    this.writer = new SendQueue({
      write: (text) => stream.write(text),
      failed: (error) => this.cut(error),
      pressure: (over) =>
        void (this.over ? undefined : over ? this.incoming.pause() : this.incoming.resume()),
      counts,
      maxChars: maxWaitingChars,
      unread: this.unread,
      buffered: () => stream.writableLength,
      writeTimeoutMs: options.writeTimeoutMs,
    });
    this.reader = new LineReader({
      maxLineBytes: options.maxMessageBytes,
      onLine: (text) => this.line(text),
      onFault: (error) => this.unreadable(error),
    });
    this.unfinished =
      account &&
      new UnfinishedLine(this.reader, new HeldBytes(account.memory, account.holder), () => this.late());
    stream.on('drain', () => this.writer.onDrain());
    // Stays for good: an error that comes late must not be uncaught. `close` follows it.
    stream.on('error', (cause: unknown) => (this.cause = cause));
    this.gone = new Promise((resolve) => stream.once('close', resolve));
    stream.once('close', () => {
      // The end of one that has ended in order is reported after its last message.
      if (!this.hasEnded) this.cut(this.lost());
      this.unread?.release();
    });
    if (stream.destroyed) queueMicrotask(() => this.cut(this.lost()));
  }

  start(): void {
    const { stream } = this;
    this.incoming.start();
    stream.on('data', (chunk: Uint8Array) => {
      this.reader.push(chunk);
      this.charge();
      this.incoming.chunkRead(chunk.length);
    });
    stream.once('end', () => {
      this.hasEnded = true;
      this.reader.end();
      this.incoming.end(() => this.end(undefined));
    });
    const { firstMessageTimeoutMs } = this.options;
    if (!this.options.isServer || !Number.isFinite(firstMessageTimeoutMs)) return;
    this.silence = setTimeout(() => {
      const message = `received no message within ${String(firstMessageTimeoutMs / 1_000)} s`;
      this.cut(new TransportError('STALLED', message));
    }, clampTimeout(firstMessageTimeoutMs));
  }

  send(text: string): Promise<void> | void {
    if (this.over || !this.stream.writable) {
      throw notSentError('CLOSED', 'the stream accepts no more data');
    }
    return this.writer.send(text + '\n');
  }

  async close(): Promise<void> {
    clearTimeout(this.silence);
    this.stopReading();
    if (!this.over) await settleWithin(this.writer.flushed(), flushWithinMs);
    this.over = true;
    await this.part();
  }

  private line(text: string): void {
    if (this.isStranger() && !looksLikeMessage(text)) {
      // A browser that was made to post here speaks HTTP first, and the message only after it.
      const message = `expected a JSON-RPC message, received ${shown(text)}`;
      this.cut(new TransportError('UNEXPECTED_OUTPUT', message));
      return;
    }
    this.heard = true;
    clearTimeout(this.silence);
    this.unfinished?.ended();
    this.incoming.add(text);
  }

  private charge(): void {
    if (this.over || this.unfinished?.chunkRead(this.incoming.waitingChars) !== false) return;
    const { holder } = this.options.account as ConnectionMemory;
    const message = `the unfinished messages of ${holder} take too much of "memory"; send fewer at a time, or raise its "maxBytes"`;
    this.cut(new TransportError('OVERFLOW', message));
  }

  private late(): void {
    this.cut(
      new TransportError('STALLED', `a message did not arrive in full within ${String(lineMs / 1_000)} s`),
    );
  }

  private isStranger(): boolean {
    return this.options.isServer && !this.heard;
  }

  private unreadable(error: WireError): void {
    const fault = wireErrorToFault(error);
    if (error.code === 'PARSE_ERROR' && this.isStranger()) return this.cut(fault);
    this.sink.fault(fault);
    if (error.code !== 'OVERFLOW') return;
    this.overlong += 1;
    if (this.overlong === this.manner.maxOverlong) this.end(fault);
  }

  private lost(): TransportError {
    return new TransportError('CONNECTION_LOST', 'the stream was cut', { cause: this.cause });
  }

  private stopReading(): void {
    this.reader.stop();
    this.incoming.stop();
    this.unfinished?.stop();
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
    this.stopReading();
    this.sink.closed(error);
    void this.part();
  }

  /** Parts from the other side in order, or without it when it takes too long. */
  private async part(): Promise<void> {
    const { stream } = this;
    this.writer.stop();
    // Keep reading without delivering: unread bytes turn an orderly end into a reset.
    stream.end().resume();
    if (!stream.closed) await settleWithin(this.gone, partWithinMs);
    stream.destroy();
  }
}
