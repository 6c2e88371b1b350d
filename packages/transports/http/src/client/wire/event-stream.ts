import { type WireError } from '@rxmcp/jsonrpc';
import { SseReader, type ParsedSseEvent } from '@rxmcp/jsonrpc/internal';
import type { Watchdog } from '../time/watchdog.js';

/** What the reading of one stream needs. */
export interface EventStreamOptions {
  readonly maxBytes: number;
  readonly watchdog: Watchdog;
  readonly signal: AbortSignal;
  event(event: ParsedSseEvent): void;
  fault(error: WireError): void;
}

/** How a stream ended: in order, or because its server went silent. */
export type StreamEnd = 'ended' | 'silent';

/** Reads the events of one answer. */
export class EventStream {
  readonly #events: SseReader;
  #comment: () => void = () => undefined;

  constructor(
    private readonly response: Response,
    private readonly options: EventStreamOptions,
  ) {
    this.#events = new SseReader({
      maxEventBytes: options.maxBytes,
      onEvent: (event) => options.event(event),
      onFault: (error) => options.fault(error),
      onComment: () => this.#comment(),
    });
  }

  /** Reads to the end. Rejects with what the platform says where the stream is cut. */
  async read(): Promise<StreamEnd> {
    const { body } = this.response;
    if (body === null) return 'ended';
    const { watchdog, signal } = this.options;
    const reader = body.getReader();
    let silent = false;
    const give = (): void => void reader.cancel().catch(() => undefined);
    const watched = watchdog.watch(() => {
      silent = true;
      give();
    });
    this.#comment = () => watched.comment();
    if (signal.aborted) give();
    signal.addEventListener('abort', give);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return silent ? 'silent' : 'ended';
        this.#events.push(value);
        watched.alive();
      }
    } finally {
      signal.removeEventListener('abort', give);
      watched.done();
    }
  }

  /** Delivers nothing more; what still comes is read and dropped, so that the socket can be used again. */
  stop(): void {
    this.#events.stop();
  }
}
