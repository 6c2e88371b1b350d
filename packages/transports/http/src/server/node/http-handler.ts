import type { ServerResponse } from 'node:http';
import type { Acceptor, ServeHandle } from '@rxmcp/transport';
import { defaultBufferedBytes } from '@rxmcp/transport/node';
import { Endpoint } from '../endpoint.js';
import type { HttpServeOptions } from '../options.js';
import { NodeExchange, type NodeRequest } from './node-exchange.js';

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
    endpoint.enter(new NodeExchange(request, response));
  };
  return Object.assign(handler, {
    drain: endpoint.drain.bind(endpoint),
    close: endpoint.close.bind(endpoint),
  });
}
