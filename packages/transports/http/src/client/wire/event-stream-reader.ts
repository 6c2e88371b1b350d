import { decode, WireError } from '@rxmcp/jsonrpc';
import { SseReader, type ParsedSseEvent } from '@rxmcp/jsonrpc/internal';
import { chargeArrived, type HeldBytes, onAbort, readChunks, readTime } from '@rxmcp/transport/internal';
import type { Watchdog } from '../time/watchdog.js';

/** What the reading of one stream needs. */
export interface EventStreamReaderOptions {
  readonly maxBytes: number;
  readonly watchdog: Watchdog;
  /** Charged for what is kept of an event. */
  readonly held: HeldBytes;
  readonly signal: AbortSignal;
  /** Called for each event, before its message. */
  note(event: ParsedSseEvent): void;
  message(value: unknown, text: string): void;
  fault(error: WireError): void;
}

/** A stream ends after so many messages that are not JSON: each error takes as long as a hundred short messages. */
const maxUnreadable = 64;

/** How a stream ended: in order, or because its server went silent. */
export type StreamEnd = 'ended' | 'silent';

/** Reads the events of one response. */
export class EventStreamReader {
  readonly #events: SseReader;
  #comment: () => void = () => undefined;
  #end: () => void = () => undefined;
  #unreadable = 0;

  constructor(
    private readonly response: Response,
    private readonly options: EventStreamReaderOptions,
  ) {
    this.#events = new SseReader({
      maxEventBytes: options.maxBytes,
      onEvent: (event) => {
        void readTime(event.data.length);
        options.note(event);
        if (event.event === 'message' && event.data !== '') this.#decode(event.data);
      },
      onFault: (error) => options.fault(error),
      onComment: () => this.#comment(),
    });
  }

  /** Reads to the end. Rejects with what the platform says where the stream is cut. */
  async read(): Promise<StreamEnd> {
    const { body } = this.response;
    if (body === null) return 'ended';
    const { watchdog, signal, held } = this.options;
    const bound = new AbortController();
    const stop = (): void => bound.abort();
    let silent = false;
    const watched = watchdog.watch(() => {
      silent = true;
      stop();
    });
    this.#comment = () => watched.comment();
    this.#end = stop;
    if (signal.aborted) stop();
    const forget = onAbort(signal, stop);
    try {
      await readChunks(
        body,
        bound.signal,
        (chunk) => {
          this.#events.push(chunk);
          watched.alive();
          chargeArrived(held, this.#events.heldBytes);
        },
        readTime,
      );
      return silent ? 'silent' : 'ended';
    } catch (error) {
      if (WireError.is(error)) this.options.fault(error);
      throw error;
    } finally {
      held.resize(0);
      forget();
      watched.done();
    }
  }

  #decode(text: string): void {
    const { message, fault } = this.options;
    let value: unknown;
    try {
      value = decode(text);
    } catch (error) {
      fault(error as WireError);
      this.#unreadable += 1;
      if (this.#unreadable < maxUnreadable) return;
      this.stop();
      fault(new WireError('OVERFLOW', `${maxUnreadable} messages of a stream were not JSON: it is closed`));
      return this.#end();
    }
    message(value, text);
  }

  /** Delivers nothing more; what still comes is read and dropped, so that the socket can be used again. */
  stop(): void {
    this.#events.stop();
  }
}
