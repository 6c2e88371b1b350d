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

it('row 22: a body that does not come is 408 after 30 s in an existing server', async () => {
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
  const over = heard(socket).finally(() => (isOver = true));
  socket.write(rawPost('{', { 'content-length': '1000' }));
  await until(() => entered === 1);
  await pass(29);
  expect(isOver).toBe(false);
  expect((await fetch(url, modern('echo'))).status).toBe(200);
  await pass(2);
  expect(await over).toContain('HTTP/1.1 408 ');
  expect(desk.sessionless?.received).toHaveLength(1);
  await handler.close();
  server.closeAllConnections();
  server.close();
});

it.each([
  ['with its length', true],
  ['without a length', false],
])(
  'row 22: a body of the web %s that does not come is 408 after 30 s, and releases its bytes',
  async (_what, hasLength) => {
    const desk = new Desk();
    const init = modern('length', { pad: 'x'.repeat(1_000) });
    const bytes = new TextEncoder().encode(String(init.body));
    // One body has room, and not two.
    const handler = fetchHandler(desk, { maxMessageBytes: bytes.length, maxBufferedBytes: bytes.length });
    let source: ReadableStreamDefaultController<Uint8Array> | undefined;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (source = controller),
      cancel: () => void (isCancelled = true),
    });
    const length: Record<string, string> = hasLength ? { 'content-length': String(bytes.length) } : {};
    const headers = { ...(init.headers as Record<string, string>), ...length };
    const asked = { ...init, headers, body, duplex: 'half' } as RequestInit;
    const response = handler(new Request('http://localhost/mcp', asked));
    source?.enqueue(bytes.subarray(0, 900));
    await pass(29);
    expect((await handler(new Request('http://localhost/mcp', init))).status).toBe(503);
    await pass(2);
    expect((await response).status).toBe(408);
    expect((await handler(new Request('http://localhost/mcp', init))).status).toBe(200);
    expect(isCancelled).toBe(true);
    expect(desk.sessionless?.received).toHaveLength(1);
    await handler.close();
  },
);
