import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Pieces } from '@rxmcp/transport/guard';
import type { BodyLimits, BodyTaker, HttpExchange } from '../exchange.js';

/** A request of a framework that reads bodies by itself. */
export type NodeRequest = IncomingMessage & { body?: unknown };

/**
 * A body that takes room as long as its exchange lasts. An object and no callback: with one, every request that had grown
 * old kept the next one alive until a full collection, which cost a third of the time per call.
 */
export interface HeldBody {
  /** The exchange is over. */
  release(): void;
}

/** An exchange whose body is still to be read. */
export interface UnreadExchange extends HttpExchange {
  readonly request: NodeRequest;
  /** The body while it is held. */
  held: HeldBody | undefined;
}

/** Reads a body within bounds; one chunk is not copied. What a framework has read already is taken from it. */
export function readBody(exchange: UnreadExchange, limits: BodyLimits, taker: BodyTaker): void {
  const { request } = exchange;
  const { body } = request;
  // A framework that reads no bodies leaves none, or an empty object.
  const isRead = body !== undefined && (request.readableEnded || !isEmpty(body));
  if (isRead) return given(body, exchange, limits, taker);
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limits.maxMessageBytes) return taker.unreadable(exchange, 'too-large');
  if (!limits.budget.take(declared)) return taker.unreadable(exchange, 'no-room');
  new Reading(exchange, limits, taker, declared);
}

/** The body of one request while it arrives. */
class Reading implements HeldBody {
  private readonly pieces = new Pieces();
  private isRead = false;

  constructor(
    private readonly exchange: UnreadExchange,
    private readonly limits: BodyLimits,
    private readonly taker: BodyTaker,
    private held: number,
  ) {
    const { request } = exchange;
    exchange.held = this;
    request.on('data', this.chunk);
    request.on('end', this.ended);
  }

  release(): void {
    this.limits.budget.give(this.held);
    if (!this.isRead) this.taker.abandoned(this.exchange);
  }

  private readonly chunk = (chunk: Buffer): void => {
    const size = this.pieces.length + chunk.length;
    if (size > this.limits.maxMessageBytes) return this.refuse('too-large');
    const more = size - this.held;
    if (more > 0) {
      if (!this.limits.budget.take(more)) return this.refuse('no-room');
      this.held = size;
    }
    this.pieces.add(chunk);
  };

  private readonly ended = (): void => {
    const { exchange, taker, pieces } = this;
    this.isRead = true;
    const whole = pieces.whole();
    pieces.drop();
    taken(whole, exchange, taker);
  };

  private refuse(problem: 'too-large' | 'no-room'): void {
    const { exchange, taker } = this;
    this.isRead = true;
    const { request } = exchange;
    request.off('data', this.chunk);
    request.off('end', this.ended);
    request.pause();
    this.pieces.drop();
    taker.unreadable(exchange, problem);
  }
}

function given(body: unknown, exchange: UnreadExchange, limits: BodyLimits, taker: BodyTaker): void {
  if (body instanceof Uint8Array) {
    if (body.byteLength > limits.maxMessageBytes) return taker.unreadable(exchange, 'too-large');
    return taken(body, exchange, taker);
  }
  // Written out again, so that the same bounds on depth and size hold for it as for any other.
  const text = typeof body === 'string' ? body : written(body);
  if (Buffer.byteLength(text) > limits.maxMessageBytes) return taker.unreadable(exchange, 'too-large');
  taker.body(exchange, text);
}

function taken(bytes: Uint8Array, exchange: UnreadExchange, taker: BodyTaker): void {
  const text = textOf(bytes);
  // Only a text with the mark of a broken character can have been broken.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return taker.unreadable(exchange, 'not-utf-8');
  taker.body(exchange, text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
}

function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString('utf8');
}

function written(body: unknown): string {
  try {
    return JSON.stringify(body) ?? '';
  } catch {
    // Too deep, or no JSON: the reader will say so.
    return '';
  }
}

function isEmpty(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || body instanceof Uint8Array)
    return false;
  for (const _name in body) return false;
  return true;
}
