import type { JsonObject } from '@rxmcp/jsonrpc';
import { now } from '../base/clock.js';
import type { PreparedResult } from '../contract/offer.js';
import { type ChargedRequest, holderOfRequest } from './memory.js';

/** How much of one turn of the event loop answers may take before the others wait for the next turn, in milliseconds. */
const turnMs = 5;
/** A quicker answer is small, and is not counted. In milliseconds. */
const largeMs = 0.5;
/** How often input is looked for before the next answers. Node accepts one connection at a time, so one look would not be enough. */
const looks = 16;

type Result = JsonObject | PreparedResult;

/** A request that has a result. */
interface Answerable extends Omit<ChargedRequest, 'heldBytes'> {
  /** Sends the result, unless the request has ended. */
  succeed(result: Result): void;
}

interface Waiting {
  readonly request: Answerable;
  readonly result: Result;
}

/**
 * Divides the time of the event loop among the callers of a server. Encoding and sending large answers takes milliseconds, and
 * hundreds of them may be due at once. After some of them the rest wait for the next turn, where each caller has one answer in its
 * turn.
 */
export class AnswerTurns {
  private isOver = false;
  private spentMs = 0;
  /** The answers that wait, by their callers. The first caller is next. */
  private readonly waiting = new Map<string, Waiting[]>();

  /** Sends an answer now, or in a later turn. */
  answer(request: Answerable, result: Result): void {
    if (this.isOver) this.wait(request, result);
    else this.send(request, result);
  }

  private send(request: Answerable, result: Result): void {
    const from = now();
    request.succeed(result);
    const tookMs = now() - from;
    if (tookMs < largeMs) return;
    this.spentMs += tookMs;
    if (this.spentMs < turnMs || this.isOver) return;
    this.isOver = true;
    this.lookForInput(looks);
  }

  private wait(request: Answerable, result: Result): void {
    const holder = holderOfRequest(request);
    const own = this.waiting.get(holder);
    if (own === undefined) this.waiting.set(holder, [{ request, result }]);
    else own.push({ request, result });
  }

  private lookForInput(times: number): void {
    nextTurn(() => (times === 1 ? this.begin() : this.lookForInput(times - 1)));
  }

  private begin(): void {
    this.isOver = false;
    this.spentMs = 0;
    for (const [holder, own] of this.waiting) {
      const next = own.shift();
      this.waiting.delete(holder);
      // Behind all others, where this loop comes to it again.
      if (own.length > 0) this.waiting.set(holder, own);
      if (next !== undefined) this.send(next.request, next.result);
      if (this.isOver) return;
    }
  }
}

type Schedule = (callback: () => void) => unknown;

/** Calls back after the input that is due. */
const nextTurn: Schedule =
  (globalThis as { setImmediate?: Schedule }).setImmediate ?? ((callback) => setTimeout(callback, 0));
