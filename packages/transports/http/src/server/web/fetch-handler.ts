import type { IncomingRequestOptions } from '@rxmcp/transport/guard';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import type { ConnectionHandler, ServeHandle } from '@rxmcp/transport';
import { WebExchange } from '@rxmcp/transport/internal';
import { Endpoint } from '../endpoint.js';
import { alikeHandlerOptions, type HttpHandlerOptions, knownHandlerOptions } from '../options.js';

/** A function from `Request` to `Response`, with `drain` and `close`: the result of {@link fetchHandler}. */
export interface FetchHandler extends ServeHandle {
  /** Serves one request. `options.caller` is the caller that the application has authenticated. */
  (request: Request, options?: IncomingRequestOptions): Promise<Response>;
}

const bufferedBytes = 64 * 1024 * 1024;

/**
 * Serves Streamable HTTP, all revisions on one URL, on platforms with the web's `Request` and `Response`: Hono, Bun, Deno, edge
 * runtimes. Sessions are kept in this process. The handler never rejects.
 * @throws TypeError for invalid options
 */
export function fetchHandler(
  connectionHandler: ConnectionHandler,
  options: HttpHandlerOptions = {},
): FetchHandler {
  rejectUnknownOptions('fetchHandler', options, knownHandlerOptions, alikeHandlerOptions);
  const endpoint = new Endpoint(connectionHandler, options, bufferedBytes);
  const handler = (request: Request, requestOptions?: IncomingRequestOptions): Promise<Response> => {
    const exchange = new WebExchange(request);
    endpoint.enter(exchange, requestOptions);
    return exchange.response;
  };
  return Object.assign(handler, {
    drain: endpoint.drain.bind(endpoint),
    close: endpoint.close.bind(endpoint),
  });
}
