import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HeldBytes } from '../memory/held-bytes.js';
import { processMemory } from '../memory/memory-budget.js';
import { addressHolder } from './request-head.js';

/** The responses of a socket that wait behind another one, and the listeners to the end of each. */
type Waiting = Map<ServerResponse, (() => void)[]>;

/** How many responses may wait behind another one. Browsers and `fetch` send no request before the last one is answered. */
const maxPipelined = 16;
/** What a request takes that waits behind another one, in bytes, besides its head: the objects of Node for it and its response. */
const waitingBytes = 4 * 1024;
/** What a header takes in addition to its characters, in bytes: two strings, and their places. */
const headerBytes = 64;
/** A head of at most so many bytes is charged only while its response waits behind another one. */
const unchargedHeadBytes = 8 * 1024;

const bySocket = new WeakMap<Socket, Waiting>();

/**
 * Calls `over` once when a response ends, in order or not, and never for one that has ended. Node emits no `close` for a response that
 * waits behind another response when their socket is destroyed, so such a response also follows its socket, with one listener for all.
 * A connection with more than 16 of them is destroyed: Node reads thousands of short requests in one turn of the event loop. A request
 * that waits, and the head of each large one, is charged to the address of its socket until then.
 */
export function onResponseClosed(request: IncomingMessage, response: ServerResponse, over: () => void): void {
  if (response.closed) return;
  if (response.socket !== null) {
    response.on('close', over);
    const bytes = headBytes(request);
    if (bytes > unchargedHeadBytes) response.on('close', charge(request, bytes));
    return;
  }
  const { socket } = request;
  const waiting = bySocket.get(socket) ?? follow(socket);
  const listeners = waiting.get(response);
  if (listeners !== undefined) {
    listeners.push(over);
    return;
  }
  waiting.set(response, [over, charge(request, waitingBytes + headBytes(request))]);
  response.once('close', () => end(waiting, response));
  if (waiting.size > maxPipelined) destroy(socket);
}

/**
 * A response of an HTTP listener. Each that waits behind another one is counted, also where no route takes its request, and where Node
 * answers without an event: a request without `Host`, or with an unknown expectation.
 */
export class ListenerResponse extends ServerResponse {
  constructor(...given: ConstructorParameters<typeof ServerResponse>) {
    super(...given);
    const [request] = given;
    // Not documented: the response that the socket sends now.
    const { _httpMessage: current } = request.socket as { _httpMessage?: object | null };
    if (current) onResponseClosed(request, this, ignore);
  }
}

const ignore = (): void => undefined;

function headBytes({ rawHeaders }: IncomingMessage): number {
  let bytes = (rawHeaders.length / 2) * headerBytes;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

/** Charges for a request, or destroys its socket. Returns what releases the charge. */
function charge({ socket }: IncomingMessage, bytes: number): () => void {
  const held = new HeldBytes(processMemory(), addressHolder(socket));
  if (!held.resize(bytes)) destroy(socket);
  return () => void held.resize(0);
}

function follow(socket: Socket): Waiting {
  const waiting: Waiting = new Map();
  bySocket.set(socket, waiting);
  socket.on('close', () => {
    for (const response of waiting.keys()) end(waiting, response);
  });
  return waiting;
}

function end(waiting: Waiting, response: ServerResponse): void {
  const listeners = waiting.get(response) ?? [];
  waiting.delete(response);
  for (const over of listeners) over();
}

/** Destroys a socket whose parser has read thousands of requests, and would create and emit them. */
function destroy(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: () => number } | null };
  // As for an upgrade, the parser stops behind this request. Node documents no way; without this one the requests are emitted, and ignored.
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => 2;
  socket.destroy();
}
