import type { ParsedSseEvent } from '@rxmcp/jsonrpc/internal';
import { TransportError } from '@rxmcp/transport';
import { lost } from './wire/network-error.js';
import { discard, type Link } from './wire/link.js';
import { ReconnectDelays } from './time/reconnect-delays.js';
import { mediaType, unexpectedResponse, errorFromResponse } from './wire/response-error.js';
import { sleep, type Timing } from './time/timing.js';

/** Ids that a header can carry; others are not resumed after. */
const resumableId = /^[\x20-\x7e]{1,4096}$/;
/** Rejections that another try may overcome: too slow, in use still, too early, too many. */
const passing: ReadonlySet<unknown> = new Set([408, 409, 425, 429]);

/**
 * A stream that is opened with GET, as often as it takes, each time after the last event that was seen.
 * MCP 2025-11-25, basic, transports, resumability and redelivery.
 */
export class StreamResumption {
  readonly pauses: ReconnectDelays;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #hasNews = false;

  /** @param maxFailures How many attempts in a row may fail. */
  constructor(
    private readonly link: Link,
    timing: Timing,
    private readonly maxFailures: number,
  ) {
    this.pauses = new ReconnectDelays(timing);
  }

  /** Whether the server can tell what comes next. */
  get knowsWhere(): boolean {
    return this.#lastEventId !== undefined;
  }

  get isSpent(): boolean {
    return this.pauses.failures > this.maxFailures;
  }

  /** Takes what an event says about the stream. */
  noted({ id, retry }: ParsedSseEvent): void {
    if (retry !== undefined) this.#retryMs = retry;
    if (id === undefined || id === this.#lastEventId) return;
    this.#hasNews = true;
    this.#lastEventId = resumableId.test(id) ? id : undefined;
  }

  /** The server does not know the place any more, if there was one. */
  forget(): boolean {
    const wasKnown = this.knowsWhere;
    this.#lastEventId = undefined;
    return wasKnown;
  }

  /** The current stream ended. */
  ended(): void {
    this.pauses.ended(this.#hasNews, true);
    this.#hasNews = false;
  }

  /** Opens the stream, with one attempt. Rejects if it fails. */
  openOnce(signal: AbortSignal): Promise<Response> {
    this.pauses.opens();
    return this.#once(signal);
  }

  /** Opens the stream again, once it is time. Rejects if the server rejects that, or after too many failures. */
  async openAgain(signal: AbortSignal): Promise<Response> {
    let waitMs = 0;
    for (;;) {
      await sleep(Math.max(waitMs, this.pauses.nextMs(this.#retryMs)), signal);
      if (signal.aborted) throw lost('the exchange was cancelled', signal.reason);
      try {
        return await this.openOnce(signal);
      } catch (error) {
        if (signal.aborted || !isTransient(error)) throw error;
        this.pauses.ended(false, false);
        if (this.isSpent) throw error;
        waitMs = Number((error as TransportError).details?.['retryAfterMs'] ?? 0);
      }
    }
  }

  async #once(signal: AbortSignal): Promise<Response> {
    const { link } = this;
    const lastEventId = this.#lastEventId;
    const { sessionId } = link;
    const headers = {
      accept: 'text/event-stream',
      ...link.sessionHeaders(),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    const response = await link.request({ method: 'GET', headers, signal });
    if (response.ok && mediaType(response) === 'text/event-stream') return response;
    discard(response);
    if (response.status === 404 && sessionId !== undefined) throw sessionLost(link.server);
    throw response.ok ? unexpectedResponse(link.server, response) : errorFromResponse(link.server, response);
  }
}

/** Whether another try may overcome a failure. */
export function isTransient(error: unknown): boolean {
  if (!TransportError.is(error)) return false;
  if (error.code === 'REJECTED') return passing.has(error.details?.['status']);
  return error.code === 'CONNECTION_LOST' || error.code === 'DIAL_FAILED';
}

/** The server does not know the session any more. */
export function sessionLost(server: string): TransportError {
  return new TransportError('SESSION_EXPIRED', `${server} no longer knows the session`, {
    outcome: 'unknown',
    retryable: true,
    details: { status: 404 },
  });
}
