import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** So many wait for one another at most. */
const atMost = 32;
/** What is longer is worth a waking, and may stay in the socket, which whoever sends it looks for at once. */
const shortChars = 4_096;
/** Where one waits longer, handlers hold the event loop, and for a while nobody waits. */
const slowMs = 5;
const pauseMs = 1_000;

let waiting: Ending[] = [];
let since = 0;
let pausedUntil = 0;
let scheduled = false;
/** The only one that was answered in the last turn. */
let alone: WeakRef<Socket> | undefined;

/** One end that waits, in the async context of whoever asked for it: traces of requests stay apart. */
class Ending extends AsyncResource {
  constructor(
    readonly socket: Socket,
    private readonly response: ServerResponse,
    private readonly body: string | undefined,
  ) {
    super('RxmcpAnswer');
  }

  now(): void {
    try {
      this.runInAsyncScope(end, undefined, this.response, this.body);
    } catch (cause) {
      // Some middleware has its own `end`; what goes wrong there is no business of the others that wait.
      this.response.destroy(cause as Error);
    }
  }
}

/**
 * Ends a response whose head is written, together with those that other connections get in this turn of the event loop: until
 * then its `writableEnded` is false. A write to a client that sleeps has to wake it, which costs more than what makes the
 * answer; while answers go out one right after the other, whoever reads them stays awake. At once go long answers, those over
 * TLS, whose clients may close with the request, those of a connection that is alone with its requests, and all while handlers
 * hold the event loop. Whoever cuts connections or ends the process after this calls {@link flushBatchedResponses} first.
 */
export function endBatched(socket: Socket, response: ServerResponse, body?: string): void {
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

/** Ends at once what {@link endBatched} lets wait. */
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

function end(response: ServerResponse, body: string | undefined): void {
  response.end(body);
}
