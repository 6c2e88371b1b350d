import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { sseFetchHandler } from '../src/fetch.js';
import { connectionHandler, recording } from '@rxmcp/transport-tck/recording';
import { openRaw, postTo, stand, turnsUntil } from './stand.js';

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

function dial(origin: string, text: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(text);
  return socket;
}

test('fault 11: streams that were asked for one behind the other in a socket all end with it', async () => {
  // One address may have half of them.
  const { url, origin, sessions } = await stand({ maxSessions: 6 });
  const get = 'GET /sse HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n';
  const socket = dial(origin, get.repeat(3));
  await turnsUntil(() => sessions.length === 3);
  socket.destroy();
  await turnsUntil(() => sessions.every(({ record }) => record.closeErrors.length === 1));
  expect((await openRaw(url)).status).toBe(200);
});

test('fault 24: bodies that never end take no more buffer space than all may together, and release it', async () => {
  const { url, origin } = await stand({ maxMessageBytes: 131_072, maxBufferedBytes: 262_144 });
  const { endpoint } = await openRaw(url);
  const { pathname, search } = new URL(endpoint);
  const head = `POST ${pathname + search} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
  const told = `${head}content-length: 131072\r\n\r\n${' '.repeat(128_000)}`;
  const untold = `${head}transfer-encoding: chunked\r\n\r\n${(128_000).toString(16)}\r\n${' '.repeat(128_000)}\r\n`;
  const sockets = [dial(origin, told), dial(origin, untold)];
  // A short body that arrives in one piece takes no room.
  const body = ping + ' '.repeat(100_000);
  await vi.waitFor(async () => expect((await postTo(endpoint, body)).status).toBe(503));
  const refused = await postTo(endpoint, body);
  expect(refused.headers['retry-after']).toBe('1');
  expect(JSON.parse(refused.body)).toMatchObject({
    error: { code: -31001, message: 'the caller holds too much memory' },
  });
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(async () => expect((await postTo(endpoint, body)).status).toBe(202));
  for (let round = 0; round < 10; round += 1) expect((await postTo(endpoint, body)).status).toBe(202);
});

test('fault 24: so do those of requests of the web', async () => {
  const handler = sseFetchHandler(
    connectionHandler(() => recording()),
    { maxMessageBytes: 4_096, maxBufferedBytes: 4_096 },
  );
  const stream = await handler(new Request('http://localhost/sse'));
  const { value } = (await stream.body?.getReader().read()) as { value: Uint8Array };
  const endpoint = /data: (\S+)/.exec(new TextDecoder().decode(value))?.[1] ?? '';
  const post = (init: RequestInit): Promise<Response> =>
    handler(
      new Request(`http://localhost${endpoint}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...init,
      }),
    );
  const leaving = new AbortController();
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (source = controller) });
  const hanging = post({ body, duplex: 'half', signal: leaving.signal } as RequestInit);
  source?.enqueue(new Uint8Array(4_000));
  await vi.waitFor(async () => expect((await post({ body: ping.padEnd(200) })).status).toBe(503));
  leaving.abort();
  expect((await hanging).status).toBe(400);
  expect((await post({ body: ping.padEnd(200) })).status).toBe(202);
  await handler.close();
});
