import type { ServerResponse } from 'node:http';
import type { Acceptor, DrainOptions, ServeHandle } from '@rxmcp/transport';
import { defaultBufferedBytes, endWaiting } from '@rxmcp/transport/node';
import { Endpoint } from '../endpoint.js';
import type { HttpServeOptions } from '../options.js';
import { NodeExchange } from './node-exchange.js';
import type { NodeRequest } from './read-body.js';

/** A handler of `node:http`, and the handle that ends what it serves. */
export interface HttpHandler extends ServeHandle {
  (request: NodeRequest, response: ServerResponse): void;
}

/**
 * Serves Streamable HTTP, all revisions on one URL, inside a server of the reader's own: `createServer(handler)`,
 * `app.all('/mcp', handler)`. Whatever path it is mounted at is its URL. A `body` that a framework has parsed is taken.
 * Throws a TypeError for options that cannot be.
 */
export function httpHandler(acceptor: Acceptor, options: HttpServeOptions = {}): HttpHandler {
  const endpoint = new Endpoint(acceptor, options, defaultBufferedBytes());
  const handler = (request: NodeRequest, response: ServerResponse): void => {
    const exchange = new NodeExchange(request, response);
    endpoint.enter(exchange);
    exchange.isEntered = true;
  };
  return Object.assign(handler, {
    async drain(drainOptions?: DrainOptions) {
      await endpoint.drain(drainOptions);
      endWaiting();
    },
    async close() {
      await endpoint.close();
      endWaiting();
    },
  });
}
