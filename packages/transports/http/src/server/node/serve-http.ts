import type { IncomingMessage, ServerResponse } from 'node:http';
import { rejectRenamedOptions } from '@rxmcp/transport/internal';
import type { ConnectionHandler, DrainOptions, ServeHandle } from '@rxmcp/transport';
import { listen, type ListenOptions } from '@rxmcp/transport/node';
import {
  defaultBufferedBytes,
  flushBatchedResponses,
  NodeExchange,
  type NodeRequest,
} from '@rxmcp/transport/node/internal';
import { Endpoint } from '../endpoint.js';
import { type HttpHandlerOptions, renamedHandlerOptions } from '../options.js';

/** Options of {@link serveHttp}. */
export interface ServeHttpOptions extends HttpHandlerOptions, ListenOptions {
  /** @default '/mcp' */
  readonly path?: string;
}

/** What is served, and where. */
export interface HttpServeHandle extends ServeHandle {
  readonly url: string;
}

/**
 * Listens and serves Streamable HTTP, all revisions on one URL. With a `server` of the reader's own it answers on its path
 * and leaves every other to whoever else listens.
 * Rejects with a TypeError for options that cannot be, and with the system's error where the port is taken.
 */
export async function serveHttp(
  acceptor: ConnectionHandler,
  options: ServeHttpOptions = {},
): Promise<HttpServeHandle> {
  rejectRenamedOptions('serveHttp', options, renamedHandlerOptions);
  const { path = '/mcp' } = options;
  if (!/^\/[^?#]*$/.test(path))
    throw new TypeError(`"${path}" is not a path: it begins with "/" and has no query`);
  const handler = httpHandler(acceptor, options);
  const listening = await listen(options);
  const own = options.server === undefined;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (isAt(request.url ?? '', path)) handler(request, response);
    else if (own) response.writeHead(404, { 'content-length': '0' }).end();
  };
  listening.server.on('request', onRequest);
  const end = async (ending: Promise<void>): Promise<void> => {
    listening.stopAccepting();
    await ending;
    await listening.stop();
    listening.server.off('request', onRequest);
  };
  let closed: Promise<void> | undefined;
  return {
    url: listening.url('http', path),
    // Clients answer what running work asks over requests of their own, so the listener goes last; who is new gets 503.
    async drain(drainOptions?: DrainOptions) {
      await handler.drain(drainOptions);
      await (closed ??= end(handler.close()));
    },
    close: () => (closed ??= end(handler.close())),
  };
}

function isAt(target: string, path: string): boolean {
  return target.startsWith(path) && (target.length === path.length || target.charAt(path.length) === '?');
}

/** A handler of `node:http`, and the handle that ends what it serves. */
export interface HttpHandler extends ServeHandle {
  (request: NodeRequest, response: ServerResponse): void;
}

/**
 * Serves Streamable HTTP, all revisions on one URL, inside a server of the reader's own: `createServer(handler)`,
 * `app.all('/mcp', handler)`. Whatever path it is mounted at is its URL. A `body` that a framework has parsed is taken.
 * Throws a TypeError for options that cannot be.
 */
export function httpHandler(acceptor: ConnectionHandler, options: HttpHandlerOptions = {}): HttpHandler {
  rejectRenamedOptions('httpHandler', options, renamedHandlerOptions);
  const endpoint = new Endpoint(acceptor, options, defaultBufferedBytes());
  const handler = (request: NodeRequest, response: ServerResponse): void => {
    const exchange = new NodeExchange(request, response);
    endpoint.enter(exchange);
    exchange.isEntered = true;
  };
  return Object.assign(handler, {
    async drain(drainOptions?: DrainOptions) {
      await endpoint.drain(drainOptions);
      flushBatchedResponses();
    },
    async close() {
      await endpoint.close();
      flushBatchedResponses();
    },
  });
}
