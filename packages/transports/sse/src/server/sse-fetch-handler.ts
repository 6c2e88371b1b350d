import type { IncomingRequestOptions } from '@rxmcp/transport/guard';
import { alikeServerOptions, rejectUnknownOptions } from '@rxmcp/transport/internal';
import type { ConnectionHandler, ServeHandle } from '@rxmcp/transport';
import { WebExchange } from '@rxmcp/transport/internal';
import { knownHandlerOptions, type SseHandlerOptions } from './options.js';
import { Sessions } from './sessions.js';

const bufferedBytes = 64 * 1024 * 1024;

/**
 * Answers both routes of HTTP+SSE, and ends every session. `options.caller` is the caller that the application has authenticated. It
 * never rejects.
 */
export type SseFetchHandler = ((request: Request, options?: IncomingRequestOptions) => Promise<Response>) &
  ServeHandle;

/**
 * Creates a handler of HTTP+SSE for platforms with the web's `Request` and `Response`; other paths get 404. Sessions are kept in this
 * process, so every request of a client must reach it.
 * MCP 2024-11-05, basic, transports, HTTP with SSE.
 * @throws TypeError for invalid options
 */
export function sseFetchHandler(
  connectionHandler: ConnectionHandler,
  options: SseHandlerOptions = {},
): SseFetchHandler {
  rejectUnknownOptions('sseFetchHandler', options, knownHandlerOptions, alikeServerOptions);
  const sessions = new Sessions(connectionHandler, options, bufferedBytes, queueMicrotask);
  const handler = (request: Request, requestOptions?: IncomingRequestOptions): Promise<Response> => {
    const exchange = new WebExchange(request);
    sessions.enter(exchange, sessions.routeOf(exchange.head.target), requestOptions);
    return exchange.response;
  };
  return Object.assign(handler, {
    drain: sessions.drain.bind(sessions),
    close: sessions.close.bind(sessions),
  });
}
