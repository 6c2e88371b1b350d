import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchHandler } from '../../src/fetch.js';
import { httpHandler } from '../../src/node.js';
import { modern, until } from './calls.js';
import { Desk } from './desk.js';
import { dial, heard, rawPost } from './raw.js';

// Only the one timer of the server is virtual: sockets go on as they are.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

it('row 22: a body that does not come is cut after 30 s in a server of the reader', async () => {
  const desk = new Desk();
  const handler = httpHandler(desk);
  let entered = 0;
  const server = createServer((request, response) => {
    handler(request, response);
    entered += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  const socket = dial(url);
  let isOver = false;
  const over = heard(socket).then(() => (isOver = true));
  socket.write(rawPost('{', { 'content-length': '1000' }));
  await until(() => entered === 1);
  await pass(29);
  expect(isOver).toBe(false);
  expect((await fetch(url, modern('echo'))).status).toBe(200);
  await pass(2);
  await over;
  expect(desk.sessionless?.received).toHaveLength(1);
  await handler.close();
  server.closeAllConnections();
  server.close();
});

it('row 22: a body of the web that does not come is cut after 30 s, and is not served when it comes then', async () => {
  const desk = new Desk();
  const handler = fetchHandler(desk);
  const init = modern('echo');
  const bytes = new TextEncoder().encode(String(init.body));
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (source = controller) });
  const asked = { ...init, body, duplex: 'half' } as RequestInit;
  const answer = handler(new Request('http://localhost/mcp', asked));
  source?.enqueue(bytes.subarray(0, 10));
  await pass(29);
  expect((await handler(new Request('http://localhost/mcp', init))).status).toBe(200);
  await pass(2);
  expect((await answer).status).toBe(503);
  try {
    source?.enqueue(bytes.subarray(10));
    source?.close();
  } catch {
    // The body is not read any more.
  }
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(desk.sessionless?.received).toHaveLength(1);
  await handler.close();
});
