import { estimateRequestBytes, TransportError } from '@rxmcp/transport';
import { wireErrorToFault } from '@rxmcp/transport/internal';
import type { ClientContext } from './delivery.js';
import { isTransient, StreamResumption } from './stream-resumption.js';
import { EventStreamReader } from './wire/event-stream-reader.js';
import { sleep } from './time/timing.js';
import { networkFailure } from './wire/network-error.js';

/**
 * The stream of a session for what its server says unasked, opened again for as long as the session lasts. A server that has
 * none says so with 405. MCP 2025-11-25, basic, transports, listening for messages from the server.
 */
export class StandingStream {
  readonly #controller = new AbortController();
  readonly #stream: StreamResumption;
  #isReported = false;
  #wasOpen = false;
  /** When the last stream ended. */
  #endedAt = 0;

  constructor(private readonly host: ClientContext) {
    this.#stream = new StreamResumption(host.link, host.timing, host.timing.maxStandingFailures);
  }

  end(): void {
    this.#controller.abort();
  }

  /** Listens until `end`, the end of the session, or a server that has no such stream. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#controller;
    this.#endedAt = performance.now();
    let response = await this.#open(() => this.#stream.openOnce(signal));
    while (response !== undefined && !signal.aborted) {
      this.#wasOpen = true;
      await this.#read(response);
      this.#endedAt = performance.now();
      this.#stream.ended();
      if (this.#stream.isSpent) this.#complain(`${this.host.link.server} keeps ending its stream`);
      response = await this.#open(() => this.#stream.openAgain(signal));
      if (response !== undefined && !this.#stream.knowsWhere) this.#gap();
    }
  }

  /** Gives nothing where the stream will not be opened. */
  async #open(attempt: () => Promise<Response>): Promise<Response | undefined> {
    const { signal } = this.#controller;
    for (let next = attempt; ; next = () => this.#stream.openAgain(signal)) {
      try {
        return await next();
      } catch (error) {
        if (signal.aborted || !this.#goesOn(error)) return undefined;
      }
    }
  }

  #goesOn(error: unknown): boolean {
    const { host } = this;
    const stream = this.#stream;
    const failure = TransportError.from(error, 'CONNECTION_LOST');
    if (failure.code === 'SESSION_EXPIRED') {
      // A server that ends a session closes its streams at once: responses that it has sent get time to arrive.
      void sleep(host.timing.closeTimeoutMs, this.#controller.signal).then(() => host.end(failure));
      return false;
    }
    if (!isTransient(failure) && !this.#mayOvercome(failure)) {
      const hasNone = failure.details?.['status'] === 405;
      if (!hasNone) host.delivery.fault(failure);
      return false;
    }
    if (!stream.isSpent) {
      // `openAgain` counts temporary failures, and did not count this one.
      stream.pauses.ended(false, false);
      return true;
    }
    // Without any response since then, the server is unreachable, and not only its stream.
    if (failure.details?.['status'] === undefined && host.link.respondedAt < this.#endedAt) {
      host.end(failure);
      return false;
    }
    this.#complain(failure.message, failure);
    return true;
  }

  /** What is no end of a stream that has been open before: its reader before is still held, or its place is forgotten. */
  #mayOvercome({ code, details }: TransportError): boolean {
    if (code !== 'REJECTED') return false;
    if (details?.['status'] === 405) return this.#wasOpen;
    return this.#stream.forget();
  }

  async #read(response: Response): Promise<void> {
    const { host } = this;
    const stream = new EventStreamReader(response, {
      maxBytes: host.maxResponseBytes,
      watchdog: host.watchdog,
      held: host.held(),
      signal: this.#controller.signal,
      note: (event) => this.#stream.noted(event),
      message: (value, text) => host.delivery.received(value, undefined, estimateRequestBytes(text)),
      fault: (error) => {
        if (error.code !== 'TRUNCATED') host.delivery.fault(wireErrorToFault(error));
      },
    });
    await stream.read().catch((cause: unknown) => networkFailure(host.link.server, cause));
  }

  /** Reports that messages were lost: without event ids the stream cannot be resumed. */
  #gap(): void {
    const message = `the stream of ${this.host.link.server} was cut: messages sent before it reopens are lost`;
    const options = { outcome: 'unknown', details: { gap: true } } as const;
    this.host.delivery.fault(new TransportError('CONNECTION_LOST', message, options));
  }

  #complain(message: string, cause?: unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const text = `the GET stream cannot be kept open: ${message}`;
    this.host.delivery.fault(new TransportError('CONNECTION_LOST', text, { cause, outcome: 'unknown' }));
  }
}
