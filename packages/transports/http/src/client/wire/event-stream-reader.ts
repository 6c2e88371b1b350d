import { decode, WireError } from '@rxmcp/jsonrpc';
import { SseReader, type ParsedSseEvent } from '@rxmcp/jsonrpc/internal';
import {
  chargeArrived,
  countEvent,
  type HeldBytes,
  onAbort,
  readChunks,
  readPieces,
} from '@rxmcp/transport/internal';
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

/** How a stream ended: in order, or because its server went silent. */
export type StreamEnd = 'ended' | 'silent';

/** Reads the events of one response. */
export class EventStreamReader {
  readonly #events: SseReader;
  #comment: () => void = () => undefined;

  constructor(
    private readonly response: Response,
    private readonly options: EventStreamReaderOptions,
  ) {
    this.#events = new SseReader({
      maxEventBytes: options.maxBytes,
      onEvent: (event) => {
        countEvent(event.data.length);
        options.note(event);
        if (event.event === 'message' && event.data !== '') this.#decode(event.data);
      },
      onFault: (error) => {
        countEvent(0);
        options.fault(error);
      },
      onComment: () => this.#comment(),
    });
  }

  /** Reads to the end. Rejects with what the platform says where the stream is cut. */
  async read(): Promise<StreamEnd> {
    const { body } = this.response;
    if (body === null) return 'ended';
    const { watchdog, signal, held } = this.options;
    const bound = new AbortController();
    const stop = (): void => {
      this.stop();
      bound.abort();
    };
    let silent = false;
    const watched = watchdog.watch(() => {
      silent = true;
      stop();
    });
    this.#comment = () => watched.comment();
    if (signal.aborted) stop();
    const forget = onAbort(signal, stop);
    try {
      await readChunks(body, bound.signal, async (chunk) => {
        await readPieces(this.#events, chunk);
        watched.alive();
        chargeArrived(held, this.#events.heldBytes);
      });
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
    let value: unknown;
    try {
      value = decode(text);
    } catch (error) {
      return this.options.fault(error as WireError);
    }
    this.options.message(value, text);
  }

  /** Delivers nothing more; what still comes is read and dropped, so that the socket can be used again. */
  stop(): void {
    this.#events.stop();
  }
}
