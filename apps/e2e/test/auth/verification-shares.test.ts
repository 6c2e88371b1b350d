import { resourceServer } from '@rxmcp/auth/server';
import { fetchHandler } from '@rxmcp/http/fetch';
import { serveHttp } from '@rxmcp/http/node';
import { serveSse } from '@rxmcp/sse/node';
import { type Authenticator, forwardedAddress } from '@rxmcp/transport/guard';
import { serveWebSocket } from '@rxmcp/websocket/node';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { server } from './protected.js';

/** The status of a request with an access token from an address, and its text. */
type Ask = (token: string, address?: string) => Promise<readonly [status: number, text: string]>;
type Serve = (authenticate: Authenticator) => Promise<Ask>;

const clientAddress = forwardedAddress();
/** The year 2100, in seconds. */
const farAway = 4_102_444_800;

const headersOf = (token: string, address?: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(address === undefined ? {} : { 'x-forwarded-for': address }),
});

const overHttp =
  (serve: typeof serveHttp | typeof serveSse): Serve =>
  async (authenticate) => {
    const { url, close } = await serve(server, { authenticate, clientAddress });
    onTestFinished(() => close());
    return async (token, address) => {
      const response = await fetch(url, { method: 'PUT', headers: headersOf(token, address) });
      return [response.status, await response.text()];
    };
  };

const overFetch: Serve = (authenticate) => {
  const handler = fetchHandler(server, { authenticate, clientAddress });
  onTestFinished(() => handler.close());
  return Promise.resolve(async (token, address) => {
    const headers = { host: '127.0.0.1', ...headersOf(token, address) };
    const response = await handler(new Request('http://127.0.0.1/mcp', { method: 'PUT', headers }));
    return [response.status, await response.text()];
  });
};

const overWebSocket: Serve = async (authenticate) => {
  const { url, close } = await serveWebSocket(server, { authenticate, clientAddress });
  onTestFinished(() => close());
  return (token, address) =>
    new Promise((resolve) => {
      const socket = new WebSocket(url, 'mcp', { headers: headersOf(token, address) });
      socket.on('error', () => undefined);
      socket.once('open', () => {
        socket.terminate();
        resolve([405, '']);
      });
      socket.once('unexpected-response', (_request, response) => {
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve([response.statusCode ?? 0, text]));
      });
    });
};

it.each<[string, Serve]>([
  ['Streamable HTTP', overHttp(serveHttp)],
  ['a fetch handler', overFetch],
  ['HTTP+SSE', overHttp(serveSse)],
  ['WebSocket', overWebSocket],
])('over %s an address has half of the tokens verified that may be at a time', async (_name, serve) => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let verified = 0;
  const guard = resourceServer({
    resource: 'http://127.0.0.1/mcp',
    authorizationServers: ['https://issuer.example'],
    async verify(token) {
      verified += 1;
      if (token.startsWith('slow')) await opened;
      return { sub: token, exp: farAway };
    },
  });
  const ask = await serve(guard.authenticate);
  // A method that is not served shows that the guard lets a request pass.
  const passed = [405, expect.any(String)];
  expect(await ask('known')).toEqual(passed);
  const slow = Array.from({ length: 250 }, (_, at) => ask(`slow-${String(at)}`, '192.0.2.1'));
  await expect.poll(() => verified).toBe(251);
  const [status, text] = await ask('more', '192.0.2.1');
  expect(status).toBe(503);
  expect(text).toContain(
    'access tokens from this address are being verified already, as many as its share of 500 allows',
  );
  expect(await ask('other', '192.0.2.2')).toEqual(passed);
  expect(await ask('no-proxy')).toEqual(passed);
  expect(await ask('known', '192.0.2.1')).toEqual(passed);
  open();
  for (const one of await Promise.all(slow)) expect(one).toEqual(passed);
  expect(await ask('more', '192.0.2.1')).toEqual(passed);
});
