import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Authorizer, AuthorizedRequest } from '@rxmcp/transport';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createWebSocketTransport } from '../src/client/create-web-socket-transport.js';
import { sockets } from '../src/socket/native.js';

/** A server with a ticket route that a test decides about, and a WebSocket that accepts anyone. */
async function served(route: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = [];
  const protocols: string[] = [];
  const http = createServer((request, response) => {
    asked.push(`${String(request.method)} ${String(request.url)} ${String(request.headers.authorization)}`);
    route(request, response);
  });
  const webSockets = new WebSocketServer({ server: http, handleProtocols: () => 'mcp' });
  webSockets.on('headers', (_, { headers }) => protocols.push(String(headers['sec-websocket-protocol'])));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const one of webSockets.clients) one.terminate();
    http.closeAllConnections();
    http.close();
  });
  // The one of `ws` has the face of a browser's.
  vi.stubGlobal('WebSocket', WebSocket);
  onTestFinished(() => void vi.unstubAllGlobals());
  const url = `ws://127.0.0.1:${String((http.address() as AddressInfo).port)}/mcp?tenant=a`;
  const dial = async (auth: Authorizer): Promise<void> => {
    const connection = await createWebSocketTransport(sockets, url, { auth }).dial();
    await connection.close();
  };
  return { url, asked, protocols, dial };
}

/** Has a token once the server has asked for one. */
function signingIn(): Authorizer & {
  readonly requests: AuthorizedRequest[];
  readonly challenges: unknown[];
} {
  let token: string | undefined;
  const requests: AuthorizedRequest[] = [];
  const challenges: unknown[] = [];
  return {
    requests,
    challenges,
    headers(request) {
      requests.push(request);
      return Promise.resolve(token === undefined ? {} : { authorization: `Bearer ${token}` });
    },
    challenged(_, { status, headers }) {
      challenges.push([status, headers.get('www-authenticate')]);
      const isFirst = token === undefined;
      token = 'a-token';
      return Promise.resolve(isFirst);
    },
    isWaiting: () => false,
  };
}

const needsToken =
  (answer: (response: ServerResponse) => void) =>
  ({ headers }: IncomingMessage, response: ServerResponse): void => {
    if (headers.authorization === 'Bearer a-token') answer(response);
    else response.writeHead(401, { 'www-authenticate': 'Bearer scope="a"' }).end();
  };

describe('a WebSocket of a page with "auth"', () => {
  it('presents a ticket that it gets with the token', async () => {
    const auth = signingIn();
    const { url, asked, protocols, dial } = await served(
      needsToken((response) => response.end(JSON.stringify({ ticket: 'one_-.~', expires_in: 30 }))),
    );
    await dial(auth);
    expect(asked).toEqual(['POST /mcp/ticket undefined', 'POST /mcp/ticket Bearer a-token']);
    expect(protocols).toEqual(['mcp,mcp.ticket.one_-.~']);
    expect(auth.challenges).toEqual([[401, 'Bearer scope="a"']]);
    const server = url.replace('ws', 'http');
    const { origin } = new URL(server);
    expect(auth.requests).toEqual(
      Array.from({ length: 2 }, () => ({ method: 'POST', url: `${origin}/mcp/ticket`, server })),
    );
  });

  it('is opened without one where the server gives none', async () => {
    const { protocols, dial } = await served((_, response) => response.writeHead(404).end());
    await dial(signingIn());
    expect(protocols).toEqual(['mcp']);
  });

  it.each([
    ['a server that rejects the token', 401, '', 'UNAUTHORIZED', /gives no ticket \(401\)/],
    ['a busy server', 503, '', 'DIAL_FAILED', /status 503/],
    ['HTML', 200, '<p>', 'DIAL_FAILED', /has no "ticket"/],
    ['a ticket that is no name', 200, '{"ticket":"a b"}', 'DIAL_FAILED', /has no "ticket"/],
    ['too much', 200, 'x'.repeat(20_000), 'DIAL_FAILED', /larger than 16384 bytes/],
    ['a redirect', 302, '', 'DIAL_FAILED', /the request failed/],
  ])('fails for %s', async (_, status, body, code, message) => {
    const { protocols, dial } = await served((__, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end(body);
    });
    const error = await dial(signingIn()).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code });
    expect(String(error)).toMatch(message);
    expect(protocols).toEqual([]);
  });
});
