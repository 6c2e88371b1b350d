import type { JsonObject } from '@rxmcp/jsonrpc';
import { afterInput, estimateMessageBytes, loopTurns } from '@rxmcp/transport/internal';
import { PreparedResult } from '../contract/offer.js';
import {
  budgetUsedUpError,
  type ChargedRequest,
  chargeRequest,
  holderOfRequest,
  releaseRequest,
} from './memory.js';

/** How many characters of large responses one turn of the event loop may send before the other responses wait for a later turn. */
const turnChars = 1024 * 1024;
/** A shorter response is sent at once: it takes no time that another caller could notice. */
const largeChars = 16 * 1024;

type Result = JsonObject | PreparedResult;

/** A request that has a result. */
interface RequestWithResult extends Omit<ChargedRequest, 'heldBytes'> {
  readonly isOpen: boolean;
  /** Sends the result, unless the request has ended. */
  succeed(result: Result): void;
  /** Sends an error, unless the request has ended. */
  failed(error: unknown): void;
}

/** A response that waits, and what is charged for its result. */
interface Waiting extends ChargedRequest {
  readonly request: RequestWithResult;
  readonly result: Result;
}

/**
 * Divides the event loop among the callers of a server. Encoding and sending a large response takes milliseconds, and hundreds of them
 * may be due at once. After some of them the rest wait for a later turn, in which callers are served one after the other.
 */
export class ResponseTurns {
  #isOver = false;
  #sentChars = 0;
  /** The responses that wait, by their callers. The first caller is next. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** Sends a response now, or in a later turn. */
  respond(request: RequestWithResult, result: Result): void {
    const chars = charsOf(result);
    if (chars < largeChars) request.succeed(result);
    // None overtakes those that wait, such as that of a request which one of them made room for.
    else if (this.#isOver || this.#waiting.size > 0) this.#wait(request, result);
    else this.#send(request, result, chars);
  }

  /** Counts over any number of turns: one that ends early costs little. */
  #send(request: RequestWithResult, result: Result, chars = charsOf(result)): void {
    this.#sentChars += chars;
    // Requests that have arrived meanwhile wait for the next turn.
    loopTurns.begin();
    if (this.#sentChars >= turnChars) {
      this.#sentChars = 0;
      this.#isOver = true;
      afterInput(() => this.#begin());
    }
    request.succeed(result);
  }

  #wait(request: RequestWithResult, result: Result): void {
    const { host, receiveInfo } = request;
    const one: Waiting = { request, result, host, receiveInfo, heldBytes: 0 };
    // A prepared result is kept once, by the server.
    const bytes = result instanceof PreparedResult ? 0 : estimateMessageBytes(result);
    if (!chargeRequest(one, bytes)) return request.failed(budgetUsedUpError());
    const holder = holderOfRequest(request);
    const own = this.#waiting.get(holder);
    if (own === undefined) this.#waiting.set(holder, [one]);
    else own.push(one);
  }

  #begin(): void {
    this.#isOver = false;
    for (const [holder, own] of this.#waiting) {
      const next = own.shift() as Waiting;
      // What is sent is charged where it is unread.
      releaseRequest(next);
      if (next.request.isOpen) this.#send(next.request, next.result);
      // Behind all others, where this loop comes to it again. Only now: what this response made room for follows it.
      this.#waiting.delete(holder);
      if (own.length > 0) this.#waiting.set(holder, own);
      if (this.#isOver) return;
    }
  }
}

/** Estimates the length of a result as JSON; of a prepared one once. */
function charsOf(result: Result): number {
  if (!(result instanceof PreparedResult)) return estimateChars(result);
  return (result.chars ??= estimateChars(result.value));
}

const charsPerValue = 16;
/** Deeper values are not counted. */
const maxDepth = 16;

/** Estimates the length of a value as JSON, at most a little more than a turn may send. */
export function estimateChars(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth > maxDepth) return charsPerValue;
  let chars = charsPerValue;
  // By index, an array takes half the time that it takes by name.
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && chars <= turnChars; at += 1)
      chars += estimateChars(value[at], depth + 1);
    return chars;
  }
  for (const name in value) {
    chars += estimateChars((value as Record<string, unknown>)[name], depth + 1);
    if (chars > turnChars) break;
  }
  return chars;
}
