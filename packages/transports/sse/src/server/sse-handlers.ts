import type { IncomingRequestOptions } from '@rxmcp/transport/guard';
import { alikeServerOptions, rejectUnknownOptions } from '@rxmcp/transport/internal';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConnectionHandler, ServeHandle } from '@rxmcp/transport';
import {
  defaultBufferedBytes,
  flushBatchedResponses,
  NodeExchange,
  requestOptions,
} from '@rxmcp/transport/node/internal';
import { knownHandlerOptions, type SseHandlerOptions } from './options.js';
import { type Route, Sessions } from './sessions.js';

/**
 * What {@link sseHandlers} gives: the two routes of HTTP+SSE, and the way to end every session. None of them throws. `options.caller`
 * is the caller that the application has authenticated.
 */
export interface SseHandlers extends ServeHandle {
  /** Answers a request for the stream, which opens a session. */
  readonly get: (
    request: IncomingMessage,
    response: ServerResponse,
    options?: IncomingRequestOptions | ((error?: unknown) => void),
  ) => void;
  /**
   * Answers a posted message. Pass `body` where a framework read it and keeps it elsewhere than in `request.body`;
   * a function, such as the `next` of Express, is ignored.
   */
  readonly post: (
    request: IncomingMessage,
    response: ServerResponse,
    body?: unknown,
    options?: IncomingRequestOptions,
  ) => void;
  /** Answers a request to one of both paths; returns false for any other path. */
  readonly handle: (
    request: IncomingMessage,
    response: ServerResponse,
    options?: IncomingRequestOptions,
  ) => boolean;
}

/**
 * Makes the handlers of HTTP+SSE for a server that is there already: of node:http, Express, Fastify or Hono. Every stream
 * is a session of its own, bound to who opened it.
 * MCP 2024-11-05, basic, transports, HTTP with SSE.
 * @throws TypeError for options that cannot be meant
 */
export function sseHandlers(handler: ConnectionHandler, options: SseHandlerOptions = {}): SseHandlers {
  rejectUnknownOptions('sseHandlers', options, knownHandlerOptions, {
    ...alikeServerOptions,
    port: 'serveSse(server, { port })',
  });
  return createSseHandlers(handler, options);
}

/** {@link sseHandlers} for options that are checked and may have others. */
export function createSseHandlers(handler: ConnectionHandler, options: SseHandlerOptions): SseHandlers {
  // Requests that came together in other sockets get their responses into the same write.
  const sessions = new Sessions(
    handler,
    options,
    defaultBufferedBytes(),
    (flush) => void setImmediate(flush),
  );
  const serve = (
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    given: IncomingRequestOptions | undefined,
    body?: unknown,
  ): void => {
    // Node parses the rest of what it has read after the end of a connection.
    if (request.socket.destroyed) return;
    const exchange = new NodeExchange(request, response, typeof body === 'function' ? undefined : body);
    sessions.enter(exchange, route, given);
    exchange.entered();
  };
  return {
    get: (request, response, given) => serve(request, response, 'stream', requestOptions(given)),
    // Express takes a function of four parameters for a handler of errors.
    post: (request, response, ...[body, given]) => serve(request, response, 'message', given, body),
    handle(request, response, given) {
      const route = sessions.routeOf(request.url ?? '');
      if (route !== undefined) serve(request, response, route, given);
      return route !== undefined;
    },
    async drain(drainOptions) {
      await sessions.drain(drainOptions);
      flushBatchedResponses();
    },
    async close() {
      await sessions.close();
      flushBatchedResponses();
    },
  };
}
