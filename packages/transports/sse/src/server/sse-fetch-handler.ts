import type { Acceptor, ServeHandle } from '@rxmcp/transport';
import { guard, type RequestHead } from '@rxmcp/transport/guard';
import { type Answer, guarded, noRoom, refusal } from './answer.js';
import { bytesOf, textOf } from './web-body.js';
import type { SseServerOptions } from './options.js';
import { refuseGet, refusePost, sessionIdOf, tooSlow } from './request-rules.js';
import { Sessions } from './sessions.js';
import { StreamOut } from './stream-out.js';
import { streamHeaders } from './stream-headers.js';

const bufferedBytes = 64 * 1024 * 1024;

/** Answers both routes of HTTP+SSE, and ends every session. It never rejects. */
export type SseFetchHandler = ((request: Request) => Promise<Response>) & ServeHandle;

/**
 * Makes a handler of HTTP+SSE for servers that speak `Request` and `Response`; other paths get 404. Its sessions live in
 * this process, so every request of a client has to come here. Throws a TypeError for options that cannot be meant.
 * MCP 2024-11-05, basic, transports, HTTP with SSE.
 */
export function sseFetchHandler(acceptor: Acceptor, options: SseServerOptions = {}): SseFetchHandler {
  const sessions = new Sessions(acceptor, options, bufferedBytes);
  const admit = guard(options);
  const { cors, path = '/sse' } = options;

  const handler = async (request: Request): Promise<Response> => {
    const head = headOf(request);
    const found = await admit(head);
    const principal = 'status' in found ? undefined : found.principal;
    const { pathname } = new URL(request.url);
    let given: Answer | Response;
    if ('status' in found) given = guarded(found);
    else if (pathname === path) given = get(request, principal);
    else if (pathname === sessions.path) given = await post(request, head.target, principal);
    else given = refusal(404, 'nothing is served here');
    return given instanceof Response ? withHeaders(given, cors?.(head)) : responseOf(given, cors?.(head));
  };

  const get = (request: Request, principal: string | undefined): Answer | Response => {
    const refused = refuseGet(request.method, headerOf(request)) ?? sessions.refuse();
    if (refused !== undefined) return refused;
    const out = new StreamOut();
    const session = sessions.open(out, principal);
    if ('status' in session) return session;
    out.listener = session;
    if (request.signal.aborted) out.end();
    else request.signal.addEventListener('abort', () => out.end(), { once: true });
    return new Response(out.body, { headers: streamHeaders });
  };

  const post = async (request: Request, target: string, principal: string | undefined): Promise<Answer> => {
    const refused = refusePost(request.method, headerOf(request), sessions.maxMessageBytes);
    if (refused !== undefined) return refused;
    const id = sessionIdOf(target);
    if (id === undefined) return refusal(400, 'exactly one "sessionId" is needed');
    const session = sessions.find(id, principal);
    if ('status' in session) return session;
    const bytes = await bytesOf(request, sessions.maxMessageBytes, sessions.budget);
    if (bytes === 'no-room') return noRoom();
    if (bytes === 'late') return tooSlow;
    // The client has left in the middle, and hears nothing of this.
    if (bytes === 'cut') return refusal(400, 'the message was cut');
    return bytes === 'too-large'
      ? session.postTooLarge(sessions.maxMessageBytes)
      : session.post(textOf(bytes));
  };

  return Object.assign(handler, {
    drain: (drainOptions?: { readonly withinMs?: number }) => sessions.drain(drainOptions),
    close: () => sessions.close(),
  });
}

function responseOf(
  { status, headers, body }: Answer,
  more: Readonly<Record<string, string>> = {},
): Response {
  const type = body === '' ? {} : { 'content-type': 'application/json' };
  return new Response(body === '' ? null : body, { status, headers: { ...more, ...type, ...headers } });
}

function withHeaders(response: Response, more: Readonly<Record<string, string>> = {}): Response {
  for (const [name, value] of Object.entries(more)) response.headers.set(name, value);
  return response;
}

function headerOf({ headers }: Request): (name: string) => string | undefined {
  return (name) => headers.get(name) ?? undefined;
}

function headOf(request: Request): RequestHead {
  const { host, pathname, search, protocol } = new URL(request.url);
  return {
    method: request.method,
    target: pathname + search,
    secure: protocol === 'https:',
    values(name) {
      const value = request.headers.get(name) ?? (name === 'host' ? host : null);
      return value === null ? [] : [value];
    },
  };
}
