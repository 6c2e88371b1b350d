import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listeners = Set<() => void>;

/** How many responses may wait behind another one. Browsers and `fetch` send no request before the last one is answered. */
const maxPipelined = 16;

/** The listeners to the end of each socket. */
const bySocket = new WeakMap<Socket, Listeners>();

/**
 * Calls `over` once when a response has ended, in order or not. Node emits no `close` for a response that waits behind another
 * response when their socket is destroyed, so such a response also follows its socket, with one listener for all. A connection with more
 * than 16 of them is destroyed: Node reads thousands of short requests in one turn of the event loop.
 */
export function onResponseClosed(request: IncomingMessage, response: ServerResponse, over: () => void): void {
  if (response.socket !== null) {
    response.on('close', over);
    return;
  }
  const { socket } = request;
  const listeners = bySocket.get(socket) ?? follow(socket);
  const once = (): void => {
    if (listeners.delete(once)) over();
  };
  listeners.add(once);
  response.once('close', once);
  if (listeners.size > maxPipelined) socket.destroy();
}

function follow(socket: Socket): Listeners {
  const listeners: Listeners = new Set();
  bySocket.set(socket, listeners);
  socket.on('close', () => {
    for (const once of listeners) once();
  });
  return listeners;
}
