import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** So many answers wait for one another at most, which bounds how long the first of them does. */
const atMost = 32;
/** What is longer is worth a waking, and may stay in the socket, which whoever sends it looks for at once. */
const shortChars = 4_096;

interface Whole {
  readonly response: ServerResponse;
  readonly body: string | undefined;
}

let waiting: Whole[] = [];
let scheduled = false;
let last: Socket | undefined;

/**
 * Ends a response whose head is written, together with those that other connections get in this turn of the event loop.
 * A write to a client that sleeps has to wake it, which costs more than what makes the answer; while answers go out one right
 * after the other, whoever reads them stays awake. A long answer does not wait, and a connection that is alone with its
 * requests waits for nobody.
 */
export function endTogether(socket: Socket, response: ServerResponse, body?: string): void {
  if (socket === last || (body !== undefined && body.length > shortChars)) return void response.end(body);
  last = socket;
  waiting.push({ response, body });
  if (waiting.length === atMost) return endAll();
  if (scheduled) return;
  scheduled = true;
  setImmediate(turnOver);
}

function turnOver(): void {
  scheduled = false;
  endAll();
}

function endAll(): void {
  const all = waiting;
  waiting = [];
  // One whose client has left meanwhile ends without a word.
  for (const { response, body } of all) response.end(body);
}
