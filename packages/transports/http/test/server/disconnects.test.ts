import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { httpHandler, serveHttp, type HttpServeHandle, type ServeHttpOptions } from '../../src/node.js';
import { modern, post, request, until } from './calls.js';
import { Desk } from './desk.js';
import { dial, rawPost } from './raw.js';
import { rigs } from './fixtures.js';
import { served } from './served.js';

const opening = request('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
const held = rawPost(String(modern('hold').body), {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'hold',
});

async function serve(options: ServeHttpOptions = {}): Promise<{ desk: Desk; handle: HttpServeHandle }> {
  const desk = new Desk();
  const handle = await serveHttp(desk, options);
  onTestFinished(() => handle.close());
  return { desk, handle };
}

/** An `authenticate` that waits until the test continues it. */
function gate(): { authenticate: () => Promise<{ principal: string }>; asked: () => number; open(): void } {
  const waiting: (() => void)[] = [];
  let asked = 0;
  let isOpen = false;
  return {
    authenticate: () => {
      asked += 1;
      const principal = { principal: 'ada' };
      return isOpen ? Promise.resolve(principal) : new Promise((go) => waiting.push(() => go(principal)));
    },
    asked: () => asked,
    open: () => {
      isOpen = true;
      for (const go of waiting) go();
    },
  };
}

it('fault 11: pipelined requests of one socket are all notified that their client left', async () => {
  const { desk, handle } = await serve();
  const socket = dial(handle.url);
  socket.write(held.repeat(5));
  await until(() => desk.holding === 5);
  socket.destroy();
  await until(() => desk.sessionless?.lanesClosed.length === 5);
});

it('fault 11: sessions that were begun behind another request end when their client leaves', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { desk, handle } = await serve({ maxSessions: 6, sessionIdleTimeoutMs: 5_000 });
  const socket = dial(handle.url);
  const text = rawPost(JSON.stringify(opening));
  socket.write(held + text.repeat(3));
  await until(() => desk.sessions.length === 3);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(desk.sessions.map(({ closed }) => closed)).toEqual([undefined, undefined, undefined]);
  socket.destroy();
  await until(() => desk.sessionless?.lanesClosed.length === 1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(desk.sessions.map(({ closed }) => closed)).toEqual([null, null, null]);
  expect((await fetch(handle.url, post(opening))).status).toBe(200);
});

it('fault 24: bodies of requests that wait behind another one are dropped with their client', async () => {
  const { desk, handle } = await serve({ maxMessageBytes: 64 * 1024, maxBufferedBytes: 128 * 1024 });
  const large = String(modern('hold', { pad: 'x'.repeat(60_000) }).body);
  const behind = rawPost(large, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'hold' });
  for (let client = 1; client <= 4; client += 1) {
    const socket = dial(handle.url);
    socket.write(held + behind);
    await until(() => desk.holding === client * 2);
    socket.destroy();
    await until(() => desk.sessionless?.lanesClosed.length === client * 2);
  }
  expect((await fetch(handle.url, modern('length', { pad: 'x'.repeat(60_000) }))).status).toBe(200);
});

it('fault 11: a client that leaves during authentication starts nothing and holds nothing', async () => {
  const { authenticate, asked, open } = gate();
  const {
    desk,
    url,
    ask,
    open: opened,
  } = await served({
    authenticate,
    maxMessageBytes: 64 * 1024,
    maxBufferedBytes: 64 * 1024,
  });
  const sockets = [
    rawPost(JSON.stringify(opening)),
    rawPost('{', { 'content-length': '60000' }),
    rawPost('{', { 'content-length': '60000' }),
  ].map((text) => {
    const socket = dial(url);
    socket.write(text);
    return socket;
  });
  await until(() => asked() === 3);
  const ports = sockets.map(({ localPort }) => ({ localPort }) as Socket);
  for (const socket of sockets) socket.resetAndDestroy();
  await until(() => opened(...ports) === 0);
  open();
  expect((await ask(modern('length', { pad: 'x'.repeat(60_000) }))).status).toBe(200);
  expect(desk.sessions).toEqual([]);
});

it('fault 11: a client that leaves while a framework is at work starts nothing', async () => {
  const desk = new Desk();
  const handler = httpHandler(desk);
  let isRead = false;
  let isEntered = false;
  let enter: (() => void) | undefined;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      isRead = true;
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      enter = () => {
        handler(Object.assign(incoming, { body }), response);
        setImmediate(() => (isEntered = true));
      };
    });
    response.on('close', () => setImmediate(() => enter?.()));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  const socket = dial(url);
  socket.write(rawPost(JSON.stringify(opening)));
  await until(() => isRead);
  socket.destroy();
  await until(() => isEntered);
  expect(desk.sessions).toEqual([]);
  await handler.close();
});

it('fault 11: a web request that is aborted during authentication starts nothing', async () => {
  const { authenticate, asked, open } = gate();
  const web = await rigs[1]!.serve({ authenticate });
  const leaving = new AbortController();
  const response = web.ask({ ...post(opening), signal: leaving.signal });
  const early = web.ask({ ...post(opening), signal: AbortSignal.abort() });
  await until(() => asked() === 2);
  leaving.abort();
  expect([(await response).status, (await early).status]).toEqual([499, 499]);
  open();
  expect((await web.ask(modern('echo'))).status).toBe(200);
  expect(web.desk.sessions).toEqual([]);
  await web.close();
});

it('fault 24: a web body whose request is aborted releases its buffer space', async () => {
  const web = await rigs[1]!.serve({ maxMessageBytes: 64 * 1024, maxBufferedBytes: 64 * 1024 });
  const init = modern('length', { pad: 'x'.repeat(60_000) });
  for (let round = 0; round < 3; round += 1) {
    const leaving = new AbortController();
    let source: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (source = controller) });
    const asked = { ...init, body, duplex: 'half', signal: leaving.signal } as RequestInit;
    const response = web.ask(asked);
    source?.enqueue(new Uint8Array(30_000));
    await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    try {
      source?.enqueue(new Uint8Array(30_000));
    } catch {
      // The body is not read any more.
    }
    expect((await response).status).toBe(499);
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect((await web.ask(init)).status).toBe(200);
  await web.close();
});
