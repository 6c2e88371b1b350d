import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { connect, createServer as createMcpServer, tool } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { expect, it, onTestFinished } from 'vitest';
import { type PlaygroundOptions, servePlayground } from '../src/serve.js';

const files = { html: '<!doctype html>', css: 'body {}', script: 'export {};' };

async function served(target?: PlaygroundOptions['target']): Promise<URL> {
  const { urls, drain } = await servePlayground({ port: 0, files, target });
  onTestFinished(() => drain());
  return new URL(urls[0] as string);
}

/** `fetch` sets Host and Origin itself. */
async function answerTo(
  url: URL | string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(new URL(path, url), { method, headers, agent: false }, resolve).on('error', reject).end();
  });
  return { status: response.statusCode, headers: response.headers, text: await textOf(response) };
}

it('the page runs scripts of its own server only', async () => {
  const { status, headers, text } = await answerTo(await served(), '/');
  expect([status, text]).toEqual([200, files.html]);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).not.toContain('unsafe');
});

it.each<[string, string, Record<string, string>, number]>([
  ['a file of the page', '/page.js', {}, 200],
  ['its style', '/page.css', {}, 200],
  ['another path', '/main.js', {}, 404],
  ['a path outside', '/..%2fpackage.json', {}, 404],
  ['another host', '/', { host: 'evil.example' }, 403],
  ['a host at another port', '/', { host: '127.0.0.1:1' }, 403],
  ['another origin', '/', { origin: 'http://evil.example' }, 403],
  ['a page of another port', '/', { origin: 'http://127.0.0.1:1' }, 403],
  ['the relay without its header', '/relay', {}, 404],
  ['the relay to a file', '/relay', { 'x-relay-url': 'file:///etc/passwd' }, 400],
  ['the relay with a user name', '/relay', { 'x-relay-url': 'http://a:%zz@127.0.0.1/' }, 400],
  ['the relay for another origin', '/relay', { origin: 'null', 'x-relay-url': 'http://127.0.0.1/' }, 403],
])('%s is answered', async (_what, path, headers, status) => {
  expect((await answerTo(await served(), path, headers)).status).toBe(status);
});

it('the relay passes a request and its response, without what the browser adds', async () => {
  const seen: IncomingMessage[] = [];
  const server = createServer((incoming, response) => {
    seen.push(incoming);
    response.writeHead(401, { 'www-authenticate': 'Bearer', 'set-cookie': 'a=b' }).end('who are you?');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const to = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp?a=b`;
  const headers = { 'x-relay-url': to, cookie: 'c=d', 'mcp-method': 'ping', authorization: 'Bearer x' };
  const answer = await answerTo(await served(), '/relay', headers, 'POST');
  expect(answer).toMatchObject({
    status: 401,
    text: 'who are you?',
    headers: { 'www-authenticate': 'Bearer' },
  });
  expect(answer.headers['set-cookie']).toBeUndefined();
  const [{ method, url, headers: passed } = {} as IncomingMessage] = seen;
  expect([method, url, passed['mcp-method'], passed.authorization]).toEqual([
    'POST',
    '/mcp?a=b',
    'ping',
    'Bearer x',
  ]);
  expect([passed.cookie, passed['x-relay-url']]).toEqual([undefined, undefined]);
});

it('the relay names the failure where no server listens', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const headers = { 'x-relay-url': `http://127.0.0.1:${String(port)}/mcp` };
  expect(await answerTo(await served(), '/relay', headers)).toMatchObject({
    status: 502,
    headers: { 'x-relay-failure': 'ECONNREFUSED' },
  });
});

it.each([
  ['status 99', 'HTTP/1.1 099 Odd\r\n\r\n'],
  ['status 101', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
])('the relay names %s as a failure, and answers the next request', async (failure, response) => {
  const server = createTcpServer((socket) => void socket.on('error', () => undefined).end(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const page = await served();
  const headers = {
    'x-relay-url': `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`,
  };
  for (let times = 0; times < 2; times += 1)
    expect(await answerTo(page, '/relay', headers)).toMatchObject({
      status: 502,
      headers: { 'x-relay-failure': failure },
    });
});

it('the relay passes the target of a redirect', async () => {
  const server = createServer((_incoming, response) => response.writeHead(307, { location: '/mcp/' }).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const to = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  expect(await answerTo(await served(), '/relay', { 'x-relay-url': to })).toMatchObject({
    status: 200,
    headers: { 'x-relay-redirect': '307', location: '/mcp/' },
  });
});

it('a transport is bridged, and the page gets its address', async () => {
  const link = memory();
  const serving = link.serve(
    createMcpServer({ name: 'inner', version: '1.0.0', tools: [tool('hi', () => 'hello')] }),
  );
  onTestFinished(() => serving.close());
  const page = await served(link);
  const remote = await connect(page.searchParams.get('url') as string);
  expect((await remote.tools.list()).map(({ name }) => name)).toEqual(['hi']);
  await remote.close();
});

it('a URL is filled in', async () => {
  const page = await served('ws://127.0.0.1:9/mcp');
  expect(page.searchParams.get('url')).toBe('ws://127.0.0.1:9/mcp');
});
