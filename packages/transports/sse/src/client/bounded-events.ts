import { WireError } from '@rxmcp/jsonrpc';
import { SseReader } from '@rxmcp/jsonrpc/internal';
import { TransportError } from '@rxmcp/transport';
import {
  chargeArrived,
  countEvent,
  type HeldBytes,
  readTime,
  readPieces,
  wireErrorToFault,
} from '@rxmcp/transport/internal';
import type { StreamReader } from './options.js';

/** What {@link BoundedEvents} reports. */
export interface BoundedEventsHooks {
  /** Bytes came, whatever they are. */
  alive(): void;
  /** A comment came. */
  comment(): void;
  /** One event could not be read; the next one may be. */
  fault(error: TransportError): void;
  /** Nothing more comes: without an error when the server ended it in order. Comes before the reader itself ends. */
  ended(error?: TransportError): void;
}

/** An EventSource joins the lines of an event to a text of as many parts, each of about 96 bytes. */
const maxEventLines = 131_072;
const lineFeed = 0x0a;

/**
 * Bounds what an EventSource reads from the network, which it does not do itself: it passes on the bytes of whole events of
 * bounded size in valid UTF-8, one per read, without comments. It can be paused between any two of them.
 */
export class BoundedEvents implements StreamReader {
  readonly #source: ReadableStreamDefaultReader<Uint8Array>;
  readonly #events: SseReader;
  readonly #ready: Uint8Array[] = [];
  #isPaused = false;
  #resumed: (() => void) | undefined;
  #failure: TransportError | undefined;
  #isOver = false;

  constructor(
    body: ReadableStream<Uint8Array>,
    maxBytes: number,
    /** Charged for what is kept of an event. */
    private readonly held: HeldBytes,
    private readonly hooks: BoundedEventsHooks,
  ) {
    this.#source = body.getReader();
    this.#events = new SseReader({
      maxEventBytes: maxBytes,
      raw: (event) => {
        let lines = 0;
        for (let at = -1; lines <= maxEventLines && (at = event.indexOf(lineFeed, at + 1)) >= 0;) lines += 1;
        if (lines > maxEventLines)
          this.#failure = new TransportError('OVERFLOW', 'an event has too many lines');
        else this.#ready.push(event);
      },
      onComment: () => hooks.comment(),
      onFault: (error) => {
        countEvent(0);
        const fault = wireErrorToFault(error);
        // Whose response it was cannot be known, so that a call would wait for it in vain.
        if (error.code === 'OVERFLOW') this.#failure = fault;
        else hooks.fault(fault);
      },
    });
  }

  /** Holds back what comes until {@link resume}. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#resumed?.();
  }

  async read(): Promise<{ done: false; value: Uint8Array } | { done: true }> {
    for (;;) {
      await readTime(0);
      while (this.#isPaused) await new Promise<void>((resume) => (this.#resumed = resume));
      const value = this.#ready.shift();
      if (value !== undefined) {
        countEvent(value.length);
        return { done: false, value };
      }
      if (this.#failure !== undefined) throw this.#end(this.#failure);
      if (this.#isOver) return { done: true };
      await this.#more();
    }
  }

  /** Stops reading and reporting. */
  stop(): void {
    this.#isOver = true;
    this.#failure = undefined;
    this.#ready.length = 0;
    this.#events.stop();
    this.held.resize(0);
    this.resume();
    // It rejects where the request was aborted, and the bytes are discarded in both cases.
    this.#source.cancel().catch(() => undefined);
  }

  cancel(): Promise<void> {
    return this.#source.cancel();
  }

  async #more(): Promise<void> {
    try {
      const { done, value } = await this.#source.read();
      if (done) {
        this.#events.end();
        if (!this.#isOver) this.hooks.ended();
        this.#isOver = true;
        return;
      }
      this.hooks.alive();
      await readPieces(this.#events, value);
      chargeArrived(this.held, this.#events.heldBytes);
    } catch (cause) {
      if (this.#isOver) return;
      this.#failure = WireError.is(cause)
        ? wireErrorToFault(cause)
        : new TransportError('CONNECTION_LOST', 'the stream was cut', { cause });
    }
  }

  #end(failure: TransportError): TransportError {
    this.#events.stop();
    this.hooks.ended(failure);
    return failure;
  }
}
