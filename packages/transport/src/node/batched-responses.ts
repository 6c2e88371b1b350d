import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** How many responses are batched at most. */
const atMost = 32;
/** Longer bodies are not batched: they may stay in the socket, and their sender must notice that at once. In characters. */
const shortChars = 4_096;
/** Where a response waits longer, handlers block the event loop, and batching pauses. In milliseconds. */
const slowMs = 5;
const pauseMs = 1_000;

let waiting: Ending[] = [];
let since = 0;
let pausedUntil = 0;
let scheduled = false;
/** The connection that got the only response of the last turn. */
let alone: WeakRef<Socket> | undefined;

/** A waiting end of a response, in the async context of its request, so that traces of requests stay separate. */
class Ending extends AsyncResource {
  constructor(
    readonly socket: Socket,
    private readonly response: ServerResponse,
    private readonly body: string | Uint8Array | undefined,
  ) {
    super('RxmcpResponse');
  }

  now(): void {
    try {
      this.runInAsyncScope(end, undefined, this.response, this.body);
    } catch (cause) {
      // Middleware may replace `end`: an error in it must not affect the other waiting responses.
      this.response.destroy(cause as Error);
    }
  }
}

/**
 * Ends a response whose head is written, together with the responses of other connections in this turn of the event loop. Until
 * then its `writableEnded` is false. To wake a sleeping client costs more than creating the response; a client that gets responses
 * one right after the other stays awake. These responses end at once: long ones, those over TLS, those of a connection that is the
 * only active one, and all while handlers block the event loop. Call {@link flushBatchedResponses} before you destroy connections
 * or end the process.
 */
export function endBatched(socket: Socket, response: ServerResponse, body?: string | Uint8Array): void {
  if (
    (body?.length ?? 0) > shortChars ||
    (socket as Partial<TLSSocket>).encrypted === true ||
    isAlone(socket)
  ) {
    response.end(body);
    return;
  }
  const now = performance.now();
  if (now < pausedUntil) {
    response.end(body);
    return;
  }
  if (waiting.length === 0) since = now;
  waiting.push(new Ending(socket, response, body));
  const isSlow = now - since > slowMs;
  if (isSlow) pausedUntil = now + pauseMs;
  if (isSlow || waiting.length === atMost) return flushBatchedResponses();
  if (scheduled) return;
  scheduled = true;
  setImmediate(turnOver);
}

/** Ends all responses at once that {@link endBatched} has batched. */
export function flushBatchedResponses(): void {
  const all = waiting;
  waiting = [];
  for (const ending of all) ending.now();
}

function turnOver(): void {
  scheduled = false;
  const only = waiting.length === 1 ? waiting[0]?.socket : undefined;
  alone = only === undefined ? undefined : new WeakRef(only);
  flushBatchedResponses();
}

function isAlone(socket: Socket): boolean {
  return waiting.length === 0 && alone?.deref() === socket;
}

function end(response: ServerResponse, body: string | Uint8Array | undefined): void {
  response.end(body);
}
