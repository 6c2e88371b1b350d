import type { Writable } from 'node:stream';
import { LineReader, type WireError } from '@rxmcp/jsonrpc';
import { type Channel, type Sink, TransportError } from '@rxmcp/transport';
import { SendQueue, type UnreadOutput, wireErrorToFault, settleWithin } from '@rxmcp/transport/internal';
import type { LineInput } from './standard-input.js';

/** What a {@link PipeChannel} is made of. */
export interface PipeChannelOptions {
  readonly input: LineInput;
  readonly output: Writable;
  /** Writes to the output, and calls back once it is written; false = wait for its drain. */
  write(text: string, written?: () => void): boolean;
  /** Whether closing ends the output. */
  readonly endsOutput: boolean;
  readonly maxMessageBytes: number;
  readonly writeTimeoutMs: number;
  /** Charges for what the client does not read. @default nothing is charged */
  readonly unread?: UnreadOutput;
  /** The other side sends no more, and may still read. */
  inputEnded(): void;
}

const maxOverlong = 3;
const flushWithinMs = 1_000;

/** The server side of a pipe: lines from one stream and to another. */
export class PipeChannel implements Channel {
  /** Resolves when everything is released; true when it ended with an error. */
  readonly closed: Promise<boolean>;
  readonly #writer: SendQueue;
  readonly #reader: LineReader;
  #sink: Sink | undefined;
  #overlong = 0;
  #over = false;
  #settle: (failed: boolean) => void = () => undefined;

  constructor(private readonly options: PipeChannelOptions) {
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const { input, output, writeTimeoutMs, unread } = options;
    this.#writer = new SendQueue({
      write: (text) => options.write(text),
      failed: (error) => void this.#lost(error),
      // The client does not read its responses: reading of requests pauses until it does.
      pressure: (over) => (over ? input.pause() : input.resume()),
      writeTimeoutMs,
      unread,
      buffered: () => output.writableLength,
    });
    this.#reader = new LineReader({
      maxLineBytes: options.maxMessageBytes,
      onLine: (text) => this.#sink?.text(text),
      onFault: (error) => this.#unreadable(error),
    });
    options.output.on('error', this.#onOutputError);
    options.output.on('drain', this.#onDrain);
  }

  start(sink: Sink): void {
    this.#sink = sink;
    this.options.input.start((chunk, length) => this.#reader.push(chunk, length), this.#onEnd);
  }

  send(text: string): Promise<void> | void {
    return this.#writer.send(text + '\n');
  }

  async close(): Promise<void> {
    this.#reader.stop();
    if (!this.#over) await settleWithin(this.#written(), flushWithinMs);
    this.#release(false);
  }

  /** Reports a fault to the receiver. */
  report(fault: TransportError): void {
    this.#sink?.fault(fault);
  }

  readonly #onDrain = (): void => this.#writer.onDrain();
  readonly #onEnd = (): void => {
    this.#reader.end();
    if (!this.#over) this.options.inputEnded();
  };
  readonly #onOutputError = (cause: unknown): void => {
    void this.#lost(new TransportError('CONNECTION_LOST', 'the other side no longer reads', { cause }));
  };

  #unreadable(error: WireError): void {
    const fault = wireErrorToFault(error);
    this.#sink?.fault(fault);
    if (error.code !== 'OVERFLOW') return;
    this.#overlong += 1;
    if (this.#overlong === maxOverlong) void this.#lost(fault);
  }

  async #lost(error: TransportError): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    this.#reader.stop();
    this.#sink?.closed(error);
    if (error.code === 'OVERFLOW') await settleWithin(this.#written(), flushWithinMs);
    this.#release(true);
  }

  /** Resolves when the output holds nothing more, which would be lost where the process exits. An output that is ended writes it later. */
  async #written(): Promise<void> {
    await this.#writer.flushed();
    if (!this.options.endsOutput) await new Promise<void>((resolve) => void this.options.write('', resolve));
  }

  #release(failed: boolean): void {
    const { input, output, endsOutput, unread } = this.options;
    this.#over = true;
    this.#writer.stop();
    unread?.release();
    input.leave();
    output.off('drain', this.#onDrain);
    // The listener of errors stays: a late EPIPE must not be uncaught.
    if (endsOutput) output.end();
    this.#settle(failed);
  }
}
