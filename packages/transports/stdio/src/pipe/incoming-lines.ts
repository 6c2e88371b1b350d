import { LineReader, type WireError } from '@rxmcp/jsonrpc';
import { TransportError } from '@rxmcp/transport';
import {
  IncomingMessages,
  type UnfinishedMessage,
  type UnfinishedMessageBudget,
} from '@rxmcp/transport/internal';

/** What a connection is charged to for lines that have not come in full. */
export interface LineMemory {
  readonly unfinished: UnfinishedMessageBudget;
  /** The name under which the connection is charged. */
  readonly holder: string;
}

/** Options of {@link IncomingLines}. */
export interface IncomingLinesOptions extends LineMemory {
  /** The stream that is read, which must not be paused by others. */
  readonly input: { pause(): void; resume(): void };
  readonly maxLineBytes: number;
  onLine(text: string): void;
  /** Receives what a `LineReader` reports, in the order of the lines. */
  onFault(error: WireError): void;
  /** Called once where what has come takes too much memory: the connection must be cut. */
  exceeded(error: TransportError): void;
}

/** The lines of a stream, in turns of the event loop that it shares with others, and charged until they are delivered. */
export class IncomingLines implements UnfinishedMessage {
  heldBytes = 0;
  readonly holder: string;
  readonly #reader: LineReader;
  readonly #incoming: IncomingMessages<string | WireError>;
  /** The chunks that wait for a turn. */
  #chunks: Uint8Array[] = [];

  constructor(private readonly options: IncomingLinesOptions) {
    this.holder = options.holder;
    this.#incoming = new IncomingMessages({
      socket: options.input,
      parser: { hold: () => undefined, parse: () => this.#read() },
      holder: options.holder,
      deliver: (item) => (typeof item === 'string' ? options.onLine(item) : options.onFault(item)),
      delivered: () => this.#charge(),
    });
    this.#reader = new LineReader({
      maxLineBytes: options.maxLineBytes,
      onLine: (text) => void this.#incoming.add(text),
      onFault: (error) => void this.#incoming.add(error),
    });
    this.#incoming.start();
  }

  push(chunk: Uint8Array): void {
    this.#incoming.chunkRead(chunk.length);
    if (this.#incoming.isHeld) this.#chunks.push(chunk);
    else this.#reader.push(chunk);
    this.#charge();
  }

  /** Delivers nothing until {@link resume}. */
  pause(): void {
    this.#incoming.pause();
  }

  resume(): void {
    this.#incoming.resume();
  }

  /** Ends the input. Calls back after the last line. */
  end(callback: () => void): void {
    this.#read();
    this.#reader.end();
    this.#incoming.end(callback);
  }

  /** Drops what waits, and delivers nothing more. */
  stop(): void {
    this.#chunks = [];
    this.#reader.stop();
    this.#incoming.stop();
    this.#charge();
  }

  cut(message: string): void {
    this.stop();
    this.options.exceeded(new TransportError('OVERFLOW', message));
  }

  #read(): void {
    for (const chunk of this.#chunks.splice(0)) this.#reader.push(chunk);
    this.#charge();
  }

  #charge(): void {
    let bytes = this.#reader.heldBytes + this.#incoming.waitingChars;
    for (const { length } of this.#chunks) bytes += length;
    if (bytes !== this.heldBytes && this.options.unfinished.hold(this, bytes)) this.heldBytes = bytes;
  }
}
