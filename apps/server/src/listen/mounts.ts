import type { Carrier } from '@rxmcp/app-serving/ports';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpHandler } from 'rxmcp/http/node';
import { sseHandlers } from 'rxmcp/sse/node';
import type { ConnectionHandler, ServeHandle } from 'rxmcp/transport';
import type { GuardOptions } from 'rxmcp/transport/guard';
import { webSocketHandler } from 'rxmcp/websocket/node';

/** A transport inside a web server that others share. */
export interface Mount extends ServeHandle {
  readonly scheme: 'http' | 'ws';
  readonly path: string;
  /** Answers a request; returns false for a path that is not its own. */
  request?(request: IncomingMessage, response: ServerResponse): boolean;
  /** Takes over a connection; returns false for a path that is not its own. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

/** How each transport is put into a web server. */
export const mounts: Readonly<
  Record<Carrier, (acceptor: ConnectionHandler, options: GuardOptions) => Mount>
> = {
  http(acceptor, options) {
    const handler = httpHandler(acceptor, options);
    return {
      scheme: 'http',
      path: '/mcp',
      request: (request, response) => at('/mcp', request, () => handler(request, response)),
      drain: handler.drain,
      close: handler.close,
    };
  },
  sse(acceptor, options) {
    const { handle, drain, close } = sseHandlers(acceptor, options);
    return { scheme: 'http', path: '/sse', request: handle, drain, close };
  },
  ws(acceptor, options) {
    const handler = webSocketHandler(acceptor, options);
    return {
      scheme: 'ws',
      path: '/mcp',
      request: (request, response) =>
        (options.authenticate !== undefined &&
          at('/mcp/ticket', request, () => handler.ticket(request, response))) ||
        // Streamable HTTP, which may have the same path, is mounted before.
        at('/mcp', request, () => response.writeHead(426, upgradeNeeded).end()),
      upgrade: (request, socket, head) => at('/mcp', request, () => handler.upgrade(request, socket, head)),
      drain: handler.drain,
      close: handler.close,
    };
  },
};

const upgradeNeeded = { upgrade: 'websocket', connection: 'Upgrade, close', 'content-length': 0 };

function at(path: string, { url = '' }: IncomingMessage, serve: () => unknown): boolean {
  const isOurs = url.split('?', 1)[0] === path;
  if (isOurs) serve();
  return isOurs;
}
