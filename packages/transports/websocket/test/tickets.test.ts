import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { bearer, type CallerIdentity } from '@rxmcp/transport/guard';
import { connectionHandler, recording } from '@rxmcp/transport-tck/recording';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { serveWebSocket, type ServeWebSocketOptions, webSocketHandler } from '../src/node.js';

afterEach(() => void vi.useRealTimers());

const page = 'https://page.example';
const authenticate = bearer({ ada: { token: 'a', scopes: ['read'] }, bob: 'b' });

interface Stand {
  readonly url: string;
  /** Who the accepted connections belong to. */
  readonly callers: Pick<CallerIdentity, 'principal' | 'scopes'>[];
  request(init?: RequestInit & { token?: string; origin?: string | null }): Promise<Response>;
  ticket(token?: string, origin?: string | null): Promise<string>;
  /** The status of an upgrade: 101, or that of its refusal. */
  upgrade(protocols: readonly string[], origin?: string | null): Promise<number>;
}

async function stand(options: ServeWebSocketOptions = { authenticate }): Promise<Stand> {
  const callers: Stand['callers'] = [];
  const handler = connectionHandler((connection) => {
    const { principal = 'nobody', scopes } = connection.traits;
    callers.push({ principal, ...(scopes && { scopes }) });
    return recording();
  });
  const { url, close } = await serveWebSocket(handler, { allowedOrigins: [page], ...options });
  onTestFinished(() => close());
  const place = `${url.replace('ws', 'http')}/ticket`;
  const request: Stand['request'] = ({ token, origin = page, ...init } = {}) =>
    fetch(place, {
      method: 'POST',
      ...init,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(origin === null ? {} : { origin }),
      },
    });
  return {
    url,
    callers,
    request,
    async ticket(token = 'a', origin = page) {
      const response = await request({ token, origin });
      expect(response.status).toBe(200);
      return ((await response.json()) as { ticket: string }).ticket;
    },
    async upgrade(protocols, origin = page) {
      const socket = new WebSocket(url, [...protocols], origin === null ? {} : { origin });
      socket.on('error', () => undefined);
      return new Promise((resolve) => {
        socket.once('unexpected-response', (_request, response: IncomingMessage) => {
          resolve(response.statusCode ?? 0);
          socket.terminate();
        });
        socket.once('open', () => {
          expect(socket.protocol).toBe('mcp');
          resolve(101);
          socket.close();
        });
      });
    },
  };
}

const withTicket = (ticket: string): string[] => ['mcp', `mcp.ticket.${ticket}`];

describe('a ticket', () => {
  it('opens one WebSocket for its caller', async () => {
    const { ticket, upgrade, callers } = await stand();
    const mine = await ticket();
    expect(await upgrade(withTicket(mine))).toBe(101);
    expect(await upgrade(withTicket(mine))).toBe(401);
    expect(await upgrade(withTicket(await ticket('b')))).toBe(101);
    expect(callers).toEqual([{ principal: 'ada', scopes: ['read'] }, { principal: 'bob' }]);
  });

  it('is sent to pages of allowed origins, and never cached', async () => {
    const { request } = await stand();
    const response = await request({ token: 'a' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('access-control-allow-origin')).toBe(page);
    expect(await response.json()).toEqual({
      ticket: expect.stringMatching(/^[\w-]{43}$/) as string,
      expires_in: 30,
    });
    const preflight = await request({ method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('authorization'),
    ]);
    expect((await request({ token: 'a', origin: 'https://other.example' })).status).toBe(403);
    expect((await request({ method: 'GET', token: 'a' })).status).toBe(405);
    const refused = await request({ token: 'x' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
  });

  it('is bound to the origin of its page, or to none', async () => {
    const other = 'https://other.example';
    const { ticket, upgrade } = await stand({ authenticate, allowedOrigins: [page, other] });
    expect(await upgrade(withTicket(await ticket()), other)).toBe(401);
    expect(await upgrade(withTicket(await ticket()), null)).toBe(401);
    const program = await ticket('a', null);
    expect(await upgrade(withTicket(program), page)).toBe(401);
    // A failed use is a use.
    expect(await upgrade(withTicket(program), null)).toBe(401);
    expect(await upgrade(withTicket(await ticket('a', null)), null)).toBe(101);
  });

  it('is valid for 30 s', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { ticket, upgrade } = await stand();
    const [early, late] = [await ticket(), await ticket()];
    vi.advanceTimersByTime(29_999);
    expect(await upgrade(withTicket(early))).toBe(101);
    vi.advanceTimersByTime(1);
    expect(await upgrade(withTicket(late))).toBe(401);
  });

  it('is one of 16 of its principal: a further one replaces the oldest', async () => {
    const { ticket, upgrade } = await stand();
    const bobs = await ticket('b');
    const all: string[] = [];
    for (let at = 0; at <= 16; at += 1) all.push(await ticket());
    expect(await upgrade(withTicket(all[0] ?? ''))).toBe(401);
    expect(await upgrade(withTicket(all[1] ?? ''))).toBe(101);
    expect(await upgrade(withTicket(all[16] ?? ''))).toBe(101);
    expect(await upgrade(withTicket(bobs))).toBe(101);
  });

  it.each(['', 'unknown', 'a'.repeat(4_000)])('that is unknown opens nothing: %j', async (ticket) => {
    const { upgrade } = await stand();
    expect(await upgrade(['mcp', `mcp.ticket.${ticket}`])).toBe(401);
  });

  it('is no subprotocol to speak', async () => {
    const { ticket, upgrade } = await stand();
    expect(await upgrade([`mcp.ticket.${await ticket()}`])).toBe(400);
  });

  it('is not there where callers are anonymous', async () => {
    const { request, upgrade } = await stand({});
    expect((await request()).status).toBe(404);
    expect(await upgrade(['mcp'])).toBe(101);
  });

  it('expires with the credentials of its caller', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const expiresAt = Date.now() + 60_000;
    const { ticket, url } = await stand({
      authenticate: () => ({ principal: 'ada', expiresAt }),
      firstMessageTimeoutMs: Infinity,
    });
    const socket = new WebSocket(url, withTicket(await ticket()), { origin: page });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    vi.advanceTimersByTime(60_000);
    expect((await closed)[0]).toBe(3000);
  });
});

it('a handler in an existing server has the route, too', async () => {
  const accepted: string[] = [];
  const each = connectionHandler((connection) => {
    accepted.push(connection.traits.principal ?? '');
    return recording();
  });
  const handler = webSocketHandler(each, { authenticate });
  const web = createServer((request, response) => handler.ticket(request, response));
  web.on('upgrade', (request, socket, head) => handler.upgrade(request, socket, head));
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await handler.close();
    web.close();
  });
  const { port } = web.address() as { port: number };
  const headers = { authorization: 'Bearer a' };
  const response = await fetch(`http://127.0.0.1:${String(port)}/any`, { method: 'POST', headers });
  const { ticket } = (await response.json()) as { ticket: string };
  const socket = new WebSocket(`ws://127.0.0.1:${String(port)}`, withTicket(ticket));
  await once(socket, 'open');
  socket.close();
  expect(accepted).toEqual(['ada']);
});
