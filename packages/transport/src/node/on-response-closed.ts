import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Told = Set<() => void>;

/** Whom the end of each socket is told to. */
const bySocket = new WeakMap<Socket, Told>();

/**
 * Calls back once when a response is over, in order or not. Node never closes a response that waits behind another one of
 * its socket when that is cut, so such a one follows its socket: one listener for all of them.
 */
export function onResponseClosed(request: IncomingMessage, response: ServerResponse, over: () => void): void {
  if (response.socket !== null) {
    response.on('close', over);
    return;
  }
  const { socket } = request;
  const told = bySocket.get(socket) ?? follow(socket);
  const once = (): void => {
    if (told.delete(once)) over();
  };
  told.add(once);
  response.once('close', once);
}

function follow(socket: Socket): Told {
  const told: Told = new Set();
  bySocket.set(socket, told);
  socket.on('close', () => {
    for (const once of told) once();
  });
  return told;
}
