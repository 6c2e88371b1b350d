import { createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Duplex } from 'node:stream';
import type { ConnectionHandler } from '@rxmcp/transport';
import { bearer } from '@rxmcp/transport/guard';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { webSocket } from '../src/index.js';
import { serveWebSocket, webSocketHandler, type ServeWebSocketOptions } from '../src/node.js';
import { ask, upgrade } from './raw.js';
import { connectionHandler, recording, type Recording } from '@rxmcp/transport-tck/recording';

interface Listening {
  readonly url: string;
  readonly port: string;
  /** The connections accepted so far. */
  readonly callers: (string | undefined)[];
  close(): Promise<void>;
}

async function served(options: ServeWebSocketOptions = {}): Promise<Listening> {
  const callers: (string | undefined)[] = [];
  const acceptor: ConnectionHandler = connectionHandler(
    ({ traits }) => (callers.push(traits.principal), recording()),
  );
  const serving = await serveWebSocket(acceptor, options);
  onTestFinished(() => serving.close());
  return { url: serving.url, port: new URL(serving.url).port, callers, close: () => serving.close() };
}

describe('rows 27 and 53: Origin', () => {
  test.each([
    ['http://evil.example', 403],
    ['null', 403],
    ['http://localhost.evil.example', 403],
    ['http://127.0.0.1.evil.example', 403],
    ['http://localhost:3000', 101],
    ['https://127.0.0.1', 101],
    ['http://[::1]:8080', 101],
    [null, 101],
  ])('%s is answered with %i', async (origin, status) => {
    const { url, callers } = await served();
    const response = await upgrade(url, { origin });
    expect(response.status).toBe(status);
    expect(callers).toHaveLength(status === 101 ? 1 : 0);
  });

  test('two are answered with 400', async () => {
    const { url } = await served();
    const response = await upgrade(url, { origin: ['http://localhost', 'http://evil.example'] });
    expect(response.status).toBe(400);
  });

  test('one that was allowed passes, and no other', async () => {
    const { url } = await served({ allowedOrigins: ['https://desk.example'] });
    expect((await upgrade(url, { origin: 'https://desk.example' })).status).toBe(101);
    expect((await upgrade(url, { origin: 'https://desk.example:8443' })).status).toBe(403);
    expect((await upgrade(url, { origin: 'http://localhost' })).status).toBe(403);
  });
});

describe('rows 28 and 53: Host', () => {
  test.each([
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost.', 403],
    ['0.0.0.0', 403],
    ['', 400],
    [null, 400],
    [['localhost', 'localhost'], 400],
    ['localhost', 101],
    ['[::1]:4000', 101],
  ])('%s is answered with %i', async (host, status) => {
    const { url, callers } = await served();
    const response = await upgrade(url, { host });
    expect(response.status).toBe(status);
    expect(callers).toHaveLength(status === 101 ? 1 : 0);
  });
});

describe('rows 23 and 53: headers that Node drops or joins', () => {
  test('an Origin behind the 256th header is not looked at', async () => {
    const { url } = await served();
    const many = Array<string>(300).fill('');
    expect((await upgrade(url, { a: many, origin: 'http://evil.example' })).status).toBe(431);
    expect((await upgrade(url, { a: many.slice(0, 200), origin: 'http://localhost' })).status).toBe(101);
  });

  test('on an existing server with fewer headers the upgrade is answered with 431', async () => {
    const server = createServer();
    server.maxHeadersCount = 20;
    const { url, callers } = await served({ server });
    onTestFinished(() => void server.close());
    const many = Array<string>(20).fill('');
    expect((await upgrade(url, { a: many, origin: 'http://evil.example' })).status).toBe(431);
    expect(callers).toEqual([]);
  });

  test('two credentials are answered with 400', async () => {
    const { url, callers } = await served({ authenticate: bearer({ ada: 'open-sesame' }) });
    const authorization = ['Bearer open-sesame', 'Bearer wrong'];
    expect((await upgrade(url, { authorization })).status).toBe(400);
    expect(callers).toEqual([]);
  });
});

describe('row 53: the caller', () => {
  const authenticate = bearer({ ada: 'open-sesame' });

  test('no token and a wrong one are 401 with a challenge, before any 101', async () => {
    const { url, callers } = await served({ authenticate });
    for (const authorization of [null, 'Bearer wrong', 'Basic b3Blbi1zZXNhbWU=']) {
      const response = await upgrade(url, { authorization });
      expect(response.status).toBe(401);
      expect(response.head.toLowerCase()).toContain('www-authenticate: bearer');
    }
    expect(callers).toEqual([]);
  });

  test('the principal is in the traits of the serving side', async () => {
    const { url, callers } = await served({ authenticate });
    expect((await upgrade(url, { authorization: 'Bearer open-sesame' })).status).toBe(101);
    expect(callers).toEqual(['ada']);
  });

  test('a client that leaves during authentication leaves nothing behind', async () => {
    const answers: (() => void)[] = [];
    const looking = (): Promise<{ principal: string }> =>
      new Promise((resolve) => void answers.push(() => resolve({ principal: 'ada' })));
    const accepted: Recording[] = [];
    const acceptor = connectionHandler(() => (accepted.push(recording()), accepted.at(-1)!));
    const serving = await serveWebSocket(acceptor, { authenticate: looking });
    const socket = ask(serving.url);
    await vi.waitUntil(() => answers.length === 1);
    socket.resetAndDestroy();
    answers[0]?.();
    await upgradeAnswered(serving.url, answers);
    await serving.close();
    // Whether its leaving was seen before or after the response, no client is left.
    await vi.waitUntil(() => accepted.every(({ closeErrors }) => closeErrors.length === 1));
  });

  test('a close ends pending authentications', async () => {
    const authenticate = vi.fn(() => new Promise<never>(() => undefined));
    const { url, close, callers } = await served({ authenticate });
    const socket = ask(url);
    await vi.waitUntil(() => authenticate.mock.calls.length === 1);
    const closed = once(socket, 'close');
    await close();
    await closed;
    expect(callers).toEqual([]);
  });
});

/** Another client comes in, so that what came before it has been seen to. */
async function upgradeAnswered(url: string, answers: readonly (() => void)[]): Promise<void> {
  const before = answers.length;
  const upgrading = upgrade(url);
  await vi.waitUntil(() => answers.length > before);
  answers.at(-1)?.();
  await upgrading;
}

/** Its end, also after an error, and the turn in which an error would be uncaught. */
async function closedOf(stream: Duplex): Promise<void> {
  if (!stream.closed) await new Promise((resolve) => stream.on('close', resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

describe('row 53: the handshake', () => {
  test.each([
    ['sec-websocket-protocol', null, 400],
    ['sec-websocket-protocol', 'graphql-ws', 400],
    ['sec-websocket-protocol', 'mcp2, xmcp', 400],
    ['sec-websocket-protocol', 'graphql-ws, mcp', 101],
    ['sec-websocket-key', 'short', 400],
    ['sec-websocket-version', '7', 400],
  ])('%s: %s is answered with %i', async (name, value, status) => {
    const { url } = await served();
    const response = await upgrade(url, { [name]: value });
    expect(response.status).toBe(status);
    if (status === 101) expect(response.head.toLowerCase()).toContain('sec-websocket-protocol: mcp\r\n');
  });

  test('row 55: compression is not agreed to', async () => {
    const { url } = await served();
    const response = await upgrade(url, { 'sec-websocket-extensions': 'permessage-deflate' });
    expect(response.status).toBe(101);
    expect(response.head.toLowerCase()).not.toContain('extensions');
  });

  test('another path is 404, and a request that is not an upgrade 426', async () => {
    const { url } = await served();
    expect((await upgrade(new URL('/other', url).href)).status).toBe(404);
    expect((await fetch(url.replace('ws:', 'http:'))).status).toBe(426);
    expect((await fetch(new URL('/other', url.replace('ws:', 'http:')))).status).toBe(404);
  });

  test('a request with a body in chunks is answered, and its connection ends', async () => {
    const { url } = await served();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const { pathname } = new URL(url);
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n`,
    );
    let text = '';
    for await (const data of socket) text += String(data);
    expect(text).toMatch(/^HTTP\/1\.1 426 /);
    // Node ends it after 30 s otherwise.
    expect(text).not.toContain(' 408 ');
  });

  test('a client that leaves before it is refused ends nothing but itself', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const uncaught: unknown[] = [];
    const caught = (error: unknown): void => void uncaught.push(error);
    process.on('uncaughtException', caught);
    onTestFinished(() => void process.off('uncaughtException', caught));
    const gone = (): Duplex =>
      new Duplex({
        read: () => undefined,
        write: (_chunk, _encoding, done) => done(new Error('it was reset')),
      });
    await served({ server });
    const refused = gone();
    server.emit('upgrade', { url: '/other', headers: {} }, refused, Buffer.alloc(0));
    await closedOf(refused);
    // With a second handler, neither knows whose that path is.
    await served({ server, path: '/more' });
    const left = gone();
    server.emit('upgrade', { url: '/other', headers: {} }, left, Buffer.alloc(0));
    left.destroy(new Error('it was reset'));
    await closedOf(left);
    expect(uncaught).toEqual([]);
  });

  test('fault 12: over the limit of connections the response is 503 with Retry-After', async () => {
    const { url } = await served({ maxConnections: 1 });
    const first = await upgrade(url);
    const second = await upgrade(url);
    expect([first.status, second.status]).toEqual([101, 503]);
    expect(second.head.toLowerCase()).toContain('retry-after: 5');
    await vi.waitFor(() => expect(second.rest()).toContain('"maxConnections"'));
    first.socket.destroy();
    await vi.waitFor(async () => expect((await upgrade(url)).status).toBe(101));
  });
});

describe('row 29: an address that other machines reach', () => {
  test.each(['192.168.1.5', '0.0.0.0', '::'])(
    '"%s" needs authenticate, or the explicit option',
    async (host) => {
      const acceptor = connectionHandler(() => recording());
      await expect(serveWebSocket(acceptor, { host })).rejects.toThrow(/other machines.*"dangerouslyOpen"/);
    },
  );
});

describe("a server of the reader's own", () => {
  test('shares its port with others, and is not ended with the WebSockets', async () => {
    const server = createServer((_, response) => void response.end('page'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { url, close } = await served({ server });
    const page = url.replace('ws:', 'http:');
    expect(await (await fetch(page)).text()).toBe('page');
    const connection = await webSocket(url).dial();
    const client = recording();
    connection.start(client);
    await close();
    await vi.waitUntil(() => client.closeErrors.length === 1);
    expect(await (await fetch(page)).text()).toBe('page');
  });

  test('calls the handler at its upgrade event', async () => {
    const server = createServer();
    const handler = webSocketHandler(connectionHandler(() => recording()));
    server.on('upgrade', (request, socket, head) => handler.upgrade(request, socket, head));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}/anywhere`;
    const open = await upgrade(url);
    expect(open.status).toBe(101);
    await handler.close();
    expect(await open.closeCode()).toBe(1001);
    expect((await upgrade(url)).status).toBe(503);
  });
});
