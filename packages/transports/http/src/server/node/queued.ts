import type { Socket } from 'node:net';
import type { NodeExchange } from './node-exchange.js';

/** The exchanges of each socket whose responses wait behind another. */
const bySocket = new WeakMap<Socket, Set<NodeExchange>>();

/**
 * Tells an exchange of the end of its socket. Node tells that to the one response that is being written, never to those of
 * requests that came while it was: they are never closed at all. One listener per socket serves them all, and a request
 * that waits for nobody needs none.
 */
export function followSocket(exchange: NodeExchange): void {
  const { socket } = exchange.request;
  const known = bySocket.get(socket);
  if (known !== undefined) {
    known.add(exchange);
    return;
  }
  const queued = new Set([exchange]);
  bySocket.set(socket, queued);
  socket.on('close', () => {
    for (const left of queued) left.closed();
  });
}

/** The exchange is over in its own way. */
export function unfollowSocket(exchange: NodeExchange): void {
  bySocket.get(exchange.request.socket)?.delete(exchange);
}
