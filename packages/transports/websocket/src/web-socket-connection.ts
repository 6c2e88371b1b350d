import { type Connection, connectionOf, pipeTraits, type Traits } from '@rxmcp/transport';
import { LikeCarrier } from './like-carrier.js';
import { defaults } from './limits.js';
import type { WebSocketLike } from './web-socket-like.js';

/**
 * Makes a connection of an open socket of whatever origin, on either side: one message per text frame. What comes before
 * `start` is kept, 1,024 messages of it. A close with 1000, 1001, 1005 or 1012 is an end in order, which is `PEER_CLOSED`
 * where `traits.redialable` says that this side has dialled; any other one is `CONNECTION_LOST`, and a binary frame
 * `INVALID_MESSAGE`. Throws a TypeError for a socket that is still connecting. Origin, credentials, subprotocol and pings
 * are the caller's to see to. MCP 2026-07-28 basic, transports, custom transports.
 *
 * @param traits Where it differs from a pipe that is not dialled again, with messages of 4 MiB at most.
 */
export function webSocketConnection(socket: WebSocketLike, traits: Partial<Traits> = {}): Connection {
  const { maxMessageBytes } = defaults;
  const all: Traits = { ...pipeTraits, maxMessageBytes, redialable: false, ...traits };
  return connectionOf(new LikeCarrier(socket, defaults.stallMs, all.redialable), all);
}
