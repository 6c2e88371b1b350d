import type { IncomingMessage, ServerResponse } from 'node:http';
import { alikeServerOptions, rejectUnknownOptions } from '@rxmcp/transport/internal';
import type { Duplex } from 'node:stream';
import type { ConnectionHandler, ServeHandle } from '@rxmcp/transport';
import { listen, type ListenOptions, type ProtectOptions } from '@rxmcp/transport/node';
import { knownListenOptions, NodeExchange, protect } from '@rxmcp/transport/node/internal';
import { createWebSocketHandler, knownHandlerOptions, type WebSocketHandlerOptions } from './handler.js';
import { ignoreError, rejectUpgrade } from './reject-upgrade.js';

/** Options of {@link serveWebSocket}. */
export interface ServeWebSocketOptions extends ListenOptions, WebSocketHandlerOptions, ProtectOptions {
  /** Where the endpoint is. @default /mcp */
  readonly path?: string;
}

const knownOptions: Record<keyof ServeWebSocketOptions, true> = {
  ...knownHandlerOptions,
  ...knownListenOptions,
  auth: true,
  path: true,
};

/** Ends what {@link serveWebSocket} serves, and has its URL. */
export interface WebSocketServeHandle extends ServeHandle {
  /** Where clients find it, such as `ws://127.0.0.1:3000/mcp`. */
  readonly url: string;
}

/**
 * Listens for WebSockets at one path, on a new HTTP server or on an existing `server`, which stays open at the end.
 * Rejects with a TypeError for an address that other machines can reach, without `authenticate` or `dangerouslyOpen`, and with the
 * system's error where the port is in use.
 * A new server answers every other request with 426 or 404. With `auth` or `authenticate`, pages get tickets at `PATH/ticket`.
 */
export async function serveWebSocket(
  connectionHandler: ConnectionHandler,
  options: ServeWebSocketOptions = {},
): Promise<WebSocketServeHandle> {
  rejectUnknownOptions('serveWebSocket', options, knownOptions, alikeServerOptions);
  const { path = '/mcp' } = options;
  const protection = protect('serveWebSocket', options);
  const handler = createWebSocketHandler(connectionHandler, protection.options);
  const listening = await listen(protection.options);
  await protection.begin(listening.url('http', path), listening);
  const { server } = listening;
  const isOwn = options.server === undefined;
  const ticketPath = protection.options.authenticate && `${path.replace(/\/$/, '')}/ticket`;

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (pathOf(request) === path) handler.upgrade(request, socket, head);
    else if (server.listenerCount('upgrade') === 1) rejectUpgrade(socket, notFound);
    // Another listener may handle it, or not.
    else socket.on('error', ignoreError);
  };
  server.on('upgrade', onUpgrade);
  const handleRequest = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (protection.metadata(request, response)) return true;
    const at = pathOf(request);
    if (at === ticketPath) handler.ticket(request, response);
    else if (isOwn && at === path) new NodeExchange(request, response).respond(426, upgradeNeeded);
    else return false;
    return true;
  };
  const endRoute = isOwn || ticketPath !== undefined ? listening.route(handleRequest) : undefined;

  const end = async (settle: () => Promise<void>): Promise<void> => {
    listening.stopAccepting();
    await settle();
    server.off('upgrade', onUpgrade);
    await listening.stop();
    endRoute?.();
  };
  return {
    url: listening.url('ws', path),
    drain: (drainOptions) => end(() => handler.drain(drainOptions)),
    close: () => end(() => handler.close()),
  };
}

const upgradeNeeded = { upgrade: 'websocket', connection: 'Upgrade, close' };
const notFound = { status: 404, headers: {}, message: 'there is nothing here' };

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?')[0] ?? '';
}
