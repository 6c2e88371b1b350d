import type { IncomingMessage, ServerResponse } from 'node:http';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import type { Duplex } from 'node:stream';
import type { ConnectionHandler, ServeHandle } from '@rxmcp/transport';
import { listen, type ListenOptions } from '@rxmcp/transport/node';
import { knownListenOptions } from '@rxmcp/transport/node/internal';
import {
  alikeHandlerOptions,
  createWebSocketHandler,
  knownHandlerOptions,
  type WebSocketHandlerOptions,
} from './handler.js';
import { ignoreError, rejectUpgrade } from './reject-upgrade.js';

/** Options of {@link serveWebSocket}. */
export interface ServeWebSocketOptions extends ListenOptions, WebSocketHandlerOptions {
  /** Where the endpoint is. @default /mcp */
  readonly path?: string;
}

const knownOptions: Record<keyof ServeWebSocketOptions, true> = {
  ...knownHandlerOptions,
  ...knownListenOptions,
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
 * A new server answers every other request with 426 or 404.
 */
export async function serveWebSocket(
  connectionHandler: ConnectionHandler,
  options: ServeWebSocketOptions = {},
): Promise<WebSocketServeHandle> {
  rejectUnknownOptions('serveWebSocket', options, knownOptions, alikeHandlerOptions);
  const { path = '/mcp' } = options;
  const handler = createWebSocketHandler(connectionHandler, options);
  const listening = await listen(options);
  const { server } = listening;
  const isOwn = options.server === undefined;

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (pathOf(request) === path) handler.upgrade(request, socket, head);
    else if (server.listenerCount('upgrade') === 1) rejectUpgrade(socket, notFound);
    // Another listener may handle it, or not.
    else socket.on('error', ignoreError);
  };
  server.on('upgrade', onUpgrade);
  if (isOwn) server.on('request', (request, response) => upgradeNeeded(request, response, path));

  const end = async (settle: () => Promise<void>): Promise<void> => {
    // The listener accepts no further connections, while open ones continue.
    const stopped = listening.stop();
    await settle();
    server.off('upgrade', onUpgrade);
    await stopped;
  };
  return {
    url: listening.url('ws', path),
    drain: (drainOptions) => end(() => handler.drain(drainOptions)),
    close: () => end(() => handler.close()),
  };
}

const notFound = { status: 404, headers: {}, message: 'there is nothing here' };

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function upgradeNeeded(request: IncomingMessage, response: ServerResponse, path: string): void {
  const isHere = pathOf(request) === path;
  const headers = isHere ? { upgrade: 'websocket', connection: 'Upgrade' } : {};
  response.writeHead(isHere ? 426 : 404, { ...headers, 'content-length': 0 }).end();
}
