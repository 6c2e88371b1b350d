import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { requestHead } from '../../src/node/internal.js';
import { onResponseClosed } from '../../src/node/on-response-closed.js';

/** Sends texts over one connection; returns the requests, and the end of the connection. */
async function asked(count: number, text: string, maxHeadersCount?: number) {
  const server = createServer();
  if (maxHeadersCount !== undefined) server.maxHeadersCount = maxHeadersCount;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const requests: [IncomingMessage, ServerResponse][] = [];
  server.on('request', (request, response) => requests.push([request, response]));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).write(text);
  await vi.waitUntil(() => requests.length === count);
  return { requests, socket };
}

const head = (...lines: readonly string[]): string =>
  ['GET /mcp?a=1 HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n');

async function denialOf(lines: readonly string[], maxHeadersCount?: number) {
  const { requests } = await asked(1, head(...lines), maxHeadersCount);
  const [[request]] = requests as [[IncomingMessage, ServerResponse]];
  return requestHead(request).denial;
}

it.each([
  ['authorization', 'Bearer a'],
  ['content-encoding', 'identity'],
  ['content-type', 'application/json'],
  ['last-event-id', '1'],
  ['mcp-method', 'a'],
  ['mcp-name', 'a'],
  ['mcp-protocol-version', '1'],
  ['mcp-session-id', '1'],
  ['origin', 'http://localhost'],
  ['Host', 'localhost'],
])('a request may have the header %s once', async (name, value) => {
  const one = `${name}: ${value}`;
  expect(await denialOf(name === 'Host' ? [] : [one])).toBeUndefined();
  const denial = await denialOf(name === 'Host' ? [one] : [one, `${name.toUpperCase()}: ${value}`]);
  expect(denial).toMatchObject({
    status: 400,
    message: expect.stringContaining(name.toLowerCase()) as string,
  });
});

it.each([
  ['content-length: 5', 400],
  ['transfer-encoding: chunked', 400],
  ['content-length: 0', undefined],
])('a GET request must not have a body: %s', async (line, status) => {
  expect((await denialOf([line]))?.status).toBe(status);
});

it('other headers may come twice, also with names of the same length', async () => {
  expect(
    await denialOf(['accept: a', 'accept: b', 'origim: a', 'origim: b', `${'x'.repeat(40)}: a`]),
  ).toBeUndefined();
});

it('each header is looked at once, also with many names that look like one of those', async () => {
  const lines = Array.from({ length: 900 }, () => 'hxxx: a');
  const { requests } = await asked(1, head(...lines));
  const [[request]] = requests as [[IncomingMessage, ServerResponse]];
  let reads = 0;
  request.rawHeaders = new Proxy(request.rawHeaders, {
    get: (target, key) => ((reads += 1), Reflect.get(target, key) as unknown),
  });
  expect(requestHead(request).denial).toBeUndefined();
  expect(reads).toBeLessThan(3_000);
});

it('a request has fewer headers than the server keeps', async () => {
  const many = (count: number) => Array.from({ length: count }, () => 'a: b');
  expect(await denialOf(many(3), 5)).toBeUndefined();
  expect(await denialOf(many(4), 5)).toEqual({
    status: 431,
    message: 'a request must have fewer than 5 headers',
  });
  expect(await denialOf(many(1_100), 0)).toBeUndefined();
});

it('the head of a request has its parts, and the path before a framework has shortened it', async () => {
  const { requests } = await asked(1, head());
  const [[request]] = requests as [[IncomingMessage, ServerResponse]];
  const { method, target, secure, remoteAddress } = requestHead(request);
  expect({ method, target, secure, remoteAddress }).toEqual({
    method: 'GET',
    target: '/mcp?a=1',
    secure: false,
    remoteAddress: '127.0.0.1',
  });
  Object.assign(request, { originalUrl: '/api/mcp?a=1' });
  expect(requestHead(request).target).toBe('/api/mcp?a=1');
});

it('responses that wait behind another one are over with their socket, each once', async () => {
  const { requests, socket } = await asked(3, head() + head() + head());
  const over: number[] = [];
  const [[{ socket: served }, response]] = requests as [[IncomingMessage, ServerResponse]];
  const before = served.listenerCount('close');
  for (const [at, [request, response]] of requests.entries())
    onResponseClosed(request, response, () => over.push(at));
  expect(served.listenerCount('close')).toBe(before + 1);
  const done = once(response, 'close');
  response.end();
  await done;
  expect(over).toEqual([0]);
  socket.destroy();
  await vi.waitUntil(() => over.length === 3);
  expect(over).toEqual([0, 1, 2]);
});
