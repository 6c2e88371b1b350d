import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Acceptor, ServeHandle } from '@rxmcp/transport';
import { guard, type Passed, type Refused } from '@rxmcp/transport/guard';
import { defaultBufferedBytes, endTogether, endWaiting, headOf, onceOver } from '@rxmcp/transport/node';
import { type Answer, guarded, noRoom, refusal } from './answer.js';
import { readBody, unread } from './body.js';
import type { SseServerOptions } from './options.js';
import { pathOf, refuseGet, refusePost, sessionIdOf, tooSlow } from './request-rules.js';
import { responseOut } from './response-out.js';
import { Sessions } from './sessions.js';
import { streamHeaders } from './stream-headers.js';

/** What {@link sseHandlers} gives: the two routes of HTTP+SSE, and the way to end every session. None of them throws. */
export interface SseHandlers extends ServeHandle {
  /** Answers a request for the stream, which opens a session. */
  readonly get: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Answers a posted message. Pass `body` where a framework read it and keeps it elsewhere than in `request.body`;
   * a function there, such as the `next` of Express, is none.
   */
  readonly post: (request: IncomingMessage, response: ServerResponse, body?: unknown) => void;
  /** Answers either, by its path; false = the path is somebody else's. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** How long a client that sends too much is listened to, unheard, so that it can read the answer. */
const lingerMs = 500;

/**
 * Makes the handlers of HTTP+SSE for a server that is there already: of node:http, Express, Fastify or Hono. Every stream
 * is a session of its own, bound to who opened it. Throws a TypeError for options that cannot be meant.
 * MCP 2024-11-05, basic, transports, HTTP with SSE.
 */
export function sseHandlers(acceptor: Acceptor, options: SseServerOptions = {}): SseHandlers {
  const sessions = new Sessions(acceptor, options, defaultBufferedBytes());
  const admit = guard(options);
  const { cors, path = '/sse' } = options;

  const answer = (
    request: IncomingMessage,
    response: ServerResponse,
    given: Answer,
    hasReturned = false,
  ): void => {
    const { status, headers, body } = given;
    if (response.headersSent || response.destroyed) return;
    const more = cors === undefined ? headers : { ...cors(headOf(request)), ...headers };
    if (body === '') {
      response.writeHead(status, status === 204 ? more : { ...more, 'content-length': 0 });
      // A framework around a handler that has not returned may end the response by itself.
      if (hasReturned) endTogether(request.socket, response);
      else response.end();
      return;
    }
    const type = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, { ...more, ...type });
    if (headers['connection'] === 'close') endLater(request, response, body);
    else response.end(request.method === 'HEAD' ? undefined : body);
  };

  const guardedly = (
    request: IncomingMessage,
    response: ServerResponse,
    next: (principal: string | undefined) => Answer | undefined,
  ): void => {
    const go = (found: Passed | Refused): void => {
      const given = 'status' in found ? guarded(found) : next(found.principal);
      if (given !== undefined) answer(request, response, given);
    };
    const found = admit(headOf(request));
    if ('then' in found) void found.then(go);
    else go(found);
  };

  const get: SseHandlers['get'] = (request, response) =>
    guardedly(request, response, (principal) => {
      const refused = refuseGet(request.method ?? '', headerOf(request)) ?? sessions.refuse();
      if (refused !== undefined) return refused;
      // It left while it was asked who it is.
      if (response.destroyed || request.socket.destroyed) return undefined;
      const more = cors?.(headOf(request));
      response.on('error', ignored);
      const session = sessions.open(responseOut(response, { ...more, ...streamHeaders }), principal);
      if ('status' in session) {
        // It had begun: too late for an answer.
        if (response.headersSent) response.destroy();
        return session;
      }
      response.on('drain', () => session.onDrain());
      onceOver(request, response, () => session.onGone());
      return undefined;
    });

  const post: SseHandlers['post'] = (request, response, body) => {
    let hasReturned = false;
    guardedly(request, response, (principal) => {
      const refused = refusePost(request.method ?? '', headerOf(request), sessions.maxMessageBytes);
      if (refused !== undefined) return refused;
      const id = sessionIdOf(request.url ?? '');
      if (id === undefined) return refusal(400, 'exactly one "sessionId" is needed');
      const session = sessions.find(id, principal);
      if ('status' in session) return session;
      const { maxMessageBytes, budget } = sessions;
      readBody(request, parsedBody(request, body), maxMessageBytes, budget, (read) => {
        if (read.is === 'no-room') return answer(request, response, noRoom());
        if (read.is === 'late') return answer(request, response, tooSlow);
        const given =
          read.is === 'too-large'
            ? session.postTooLarge(maxMessageBytes)
            : session.post(read.is === 'text' ? read.text : undefined);
        if ('then' in given) void given.then((later) => answer(request, response, later));
        else answer(request, response, given, hasReturned);
      });
      return undefined;
    });
    hasReturned = true;
  };

  const handle: SseHandlers['handle'] = (request, response) => {
    const asked = pathOf(request.url ?? '');
    const route = asked === path ? get : asked === sessions.path ? post : undefined;
    route?.(request, response);
    return route !== undefined;
  };

  return {
    get,
    post,
    handle,
    async drain(drainOptions) {
      await sessions.drain(drainOptions);
      endWaiting();
    },
    async close() {
      await sessions.close();
      endWaiting();
    },
  };
}

function ignored(): void {
  // A client that leaves is told of by 'close'.
}

function headerOf({ headers }: IncomingMessage): (name: string) => string | undefined {
  return (name) => headers[name] as string | undefined;
}

function parsedBody(request: IncomingMessage, given: unknown): unknown {
  const own = given === undefined || typeof given === 'function';
  const body = own ? (request as { body?: unknown }).body : given;
  return body === undefined ? unread : body;
}

/** Whoever closes while bytes still come makes the system throw away the answer, so the rest is heard for a moment. */
function endLater(request: IncomingMessage, response: ServerResponse, body: string): void {
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  response.on('error', ignored);
  response.write(body);
  request.once('end', end);
  response.once('close', end);
  request.resume();
}
