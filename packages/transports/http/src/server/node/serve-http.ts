import type { IncomingRequestOptions } from '@rxmcp/transport/guard';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import type { ServerResponse } from 'node:http';
import type { ConnectionHandler, DrainOptions, ServeHandle } from '@rxmcp/transport';
import { listen, type ListenOptions, type ProtectOptions } from '@rxmcp/transport/node';
import {
  defaultBufferedBytes,
  flushBatchedResponses,
  knownListenOptions,
  NodeExchange,
  type NodeRequest,
  protect,
  requestOptions,
} from '@rxmcp/transport/node/internal';
import { Endpoint } from '../endpoint.js';
import { alikeHandlerOptions, type HttpHandlerOptions, knownHandlerOptions } from '../options.js';

/** Options of {@link serveHttp}: those of a handler, of the listener, and of its protection. */
export interface ServeHttpOptions extends HttpHandlerOptions, ListenOptions, ProtectOptions {
  /** The path of the endpoint. @default '/mcp' */
  readonly path?: string;
}

const knownOptions: Record<keyof ServeHttpOptions, true> = {
  ...knownHandlerOptions,
  ...knownListenOptions,
  auth: true,
  path: true,
};

/** Ends what {@link serveHttp} serves, and has its URL. */
export interface HttpServeHandle extends ServeHandle {
  /** The URL of the endpoint, with the bound port. */
  readonly url: string;
}

/**
 * Listens and serves Streamable HTTP, all revisions on one URL. With an existing `server` it answers on its path only, before the
 * other listeners of that server, which receive the rest. Rejects with a TypeError for invalid options and for an address that other
 * machines can reach, without `auth`, `authenticate` or `dangerouslyOpen`, and with the system's error where the port is in use. MCP 2026-07-28 and 2025-11-25, basic, transports, Streamable HTTP.
 * @example
 * const hello = defineServer({ info: { name: 'hello', version: '1.0.0' }, offers: [] });
 * const handle = await serveHttp(hello, { port: 8080, authenticate: bearer({ ada: 'a-secret-of-hers' }) });
 * process.once('SIGTERM', () => void handle.drain({ timeoutMs: 25_000 }));
 */
export async function serveHttp(
  connectionHandler: ConnectionHandler,
  options: ServeHttpOptions = {},
): Promise<HttpServeHandle> {
  rejectUnknownOptions('serveHttp', options, knownOptions, {
    ...alikeHandlerOptions,
    endpoint: 'path',
    url: 'path',
    cert: 'tls: { cert, key }',
    https: 'tls',
  });
  const { path = '/mcp' } = options;
  if (!/^\/[^?#]*$/.test(path))
    throw new TypeError(`"${path}" is not a path: it begins with "/" and has no query`);
  const protection = protect('serveHttp', options);
  const handler = createHandler(connectionHandler, protection.options);
  const listening = await listen(protection.options);
  const url = listening.url('http', path);
  await protection.begin(url, listening);
  const endRoute = listening.route((request, response) => {
    if (protection.metadata(request, response)) return true;
    const isOurs = isAt(request.url ?? '', path);
    if (isOurs) handler(request, response);
    return isOurs;
  });
  const end = async (ending: Promise<void>): Promise<void> => {
    listening.stopAccepting();
    await ending;
    await listening.stop();
    endRoute();
  };
  let closed: Promise<void> | undefined;
  return {
    url,
    // Clients answer the requests of running handlers over new HTTP requests, so the listener closes last. New clients get 503.
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

/** A request listener for `node:http`, Express and Fastify, with `drain` and `close`: the result of {@link httpHandler}. */
export interface HttpHandler extends ServeHandle {
  /** Serves one request. `options.caller` is the caller that the application has authenticated. */
  (
    request: NodeRequest,
    response: ServerResponse,
    options?: IncomingRequestOptions | ((error?: unknown) => void),
  ): void;
}

/**
 * Serves Streamable HTTP, all revisions on one URL, inside an existing server: `createServer(handler)`, `app.all('/mcp', handler)`.
 * It answers on any path at which it is mounted. It reads a `body` that a framework has parsed.
 * @throws TypeError for invalid options
 */
export function httpHandler(
  connectionHandler: ConnectionHandler,
  options: HttpHandlerOptions = {},
): HttpHandler {
  rejectUnknownOptions('httpHandler', options, knownHandlerOptions, {
    ...alikeHandlerOptions,
    port: 'serveHttp(server, { port })',
    path: 'serveHttp(server, { path })',
  });
  return createHandler(connectionHandler, options);
}

function createHandler(connectionHandler: ConnectionHandler, options: HttpHandlerOptions): HttpHandler {
  const endpoint = new Endpoint(connectionHandler, options, defaultBufferedBytes());
  const handler: (...args: Parameters<HttpHandler>) => void = (request, response, given) => {
    // Node parses the rest of what it has read after the end of a connection.
    if (request.socket.destroyed) return;
    const exchange = new NodeExchange(request, response);
    endpoint.enter(exchange, requestOptions(given));
    exchange.entered();
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
