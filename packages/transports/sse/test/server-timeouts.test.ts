import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { connectionHandler, type Recording, recording } from '@rxmcp/transport-tck/recording';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sseFetchHandler } from '../src/fetch.js';
import { sseHandlers } from '../src/node.js';
import { openRaw, postTo, stand, turnsUntil } from './stand.js';

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const json = { 'content-type': 'application/json' };

// Sockets go on as they are.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function recorded() {
  const records: Recording[] = [];
  const acceptor = connectionHandler(() => {
    const record = recording();
    records.push(record);
    return record;
  });
  return { records, acceptor };
}

describe('row 22: a body that does not come', () => {
  test('is answered 408 after 30 s in a server of the reader, and others are served meanwhile', async () => {
    const { records, acceptor } = recorded();
    const handlers = sseHandlers(acceptor);
    let posts = 0;
    const server = createServer((request, response) => {
      if (request.method === 'POST') posts += 1;
      handlers.handle(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      await handlers.close();
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const stream = await openRaw(`http://127.0.0.1:${String(port)}/sse`);
    const { pathname, search } = new URL(stream.endpoint);
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    let isOver = false;
    socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk));
    socket.on('close', () => (isOver = true)).on('error', () => undefined);
    socket.write(
      `POST ${pathname + search} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    );
    await turnsUntil(() => posts === 1);
    vi.advanceTimersByTime(29_999);
    expect((await postTo(stream.endpoint, ping)).status).toBe(202);
    expect(heard).toBe('');
    vi.advanceTimersByTime(1);
    await turnsUntil(() => heard !== '');
    expect(heard).toMatch(/^HTTP\/1\.1 408 [^]*connection: close/i);
    // The response has a moment to be read.
    vi.advanceTimersByTime(500);
    await turnsUntil(() => isOver);
    expect(records[0]?.messages).toEqual([JSON.parse(ping)]);
    expect(stream.ended()).toBe(false);
  });

  test('is answered 408 by the handler of the web, and is nothing when it comes then', async () => {
    const { records, acceptor } = recorded();
    const handler = sseFetchHandler(acceptor, { maxMessageBytes: 100, maxBufferedBytes: 100 });
    onTestFinished(() => handler.close());
    const stream = await handler(new Request('http://localhost/sse'));
    const { value } = (await stream.body?.getReader().read()) as { value: Uint8Array };
    const path = /data: (\S+)/.exec(new TextDecoder().decode(value))?.[1] ?? '';
    const post = (body: BodyInit): Promise<Response> =>
      handler(
        new Request(`http://localhost${path}`, {
          method: 'POST',
          headers: json,
          body,
          duplex: 'half',
        } as RequestInit),
      );
    let source: ReadableStreamDefaultController<Uint8Array> | undefined;
    const hanging = post(
      new ReadableStream<Uint8Array>({ start: (controller) => void (source = controller) }),
    );
    source?.enqueue(new TextEncoder().encode(ping.slice(0, 10)));
    await turnsUntil(() => vi.getTimerCount() > 1);
    await vi.advanceTimersByTimeAsync(29_999);
    expect((await post(ping)).status).toBe(202);
    await vi.advanceTimersByTimeAsync(1);
    expect((await hanging).status).toBe(408);
    expect(() => source?.enqueue(new TextEncoder().encode(ping.slice(10)))).toThrow();
    // What it held is there for others again.
    expect((await post(ping.padEnd(100))).status).toBe(202);
    expect(records[0]?.messages).toHaveLength(2);
  });
});

describe('row 41: a client that opens a stream', () => {
  test('and posts nothing for 60 s is closed, so that another can connect', async () => {
    const { url, sessions } = await stand({ maxSessions: 1 });
    const stream = await openRaw(url);
    vi.advanceTimersByTime(59_999);
    expect(sessions[0]?.record.closeErrors).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sessions[0]?.record.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST' }]);
    await turnsUntil(stream.ended);
    expect((await postTo(stream.endpoint, ping)).status).toBe(404);
    expect((await openRaw(url)).status).toBe(200);
  });

  test('and has posted something may be silent', async () => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    expect((await postTo(endpoint, ping)).status).toBe(202);
    vi.advanceTimersByTime(3_600_000);
    expect(sessions[0]?.record.closeErrors).toEqual([]);
    expect((await postTo(endpoint, ping)).status).toBe(202);
  });

  test.each([Infinity, 2 ** 31])('has for ever where it may take %s ms', async (firstMessageTimeoutMs) => {
    const { url, sessions } = await stand({ firstMessageTimeoutMs });
    const { endpoint } = await openRaw(url);
    vi.advanceTimersByTime(3_600_000);
    expect(sessions[0]?.record.closeErrors).toEqual([]);
    expect((await postTo(endpoint, ping)).status).toBe(202);
  });
});
