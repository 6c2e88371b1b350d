import { createServer } from 'node:http';
import { type Connection, estimateRequestBytes, MemoryBudget } from '@rxmcp/transport';
import { loopTurns } from '@rxmcp/transport/internal';
import { recording } from '@rxmcp/transport-tck/recording';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveSse } from '../src/node.js';
import { openRaw, postTo, type RawStream, stand, turnsUntil } from './stand.js';

const mebibyte = 1024 * 1024;
const message = { jsonrpc: '2.0', method: 'news', params: { pad: 'x'.repeat(64_000) } } as const;

test('clients of one principal that read nothing are cut beyond its share, and another one is served', async () => {
  const memory = new MemoryBudget({ maxBytes: 4 * mebibyte });
  const { url, sessions } = await stand(
    { authenticate: (head) => ({ principal: head.headerValues('authorization')[0] ?? '' }) },
    memory,
  );
  const open = (authorization: string) => openRaw(url, { headers: { authorization } });
  const streams = [await open('ada'), await open('ada'), await open('ada')];
  for (const { incoming } of streams) incoming.pause();
  const bob = await open('bob');
  const send = (at: number): unknown => sessions[at]?.connection.send(message).catch(() => undefined);
  const cut = () => sessions.filter(({ record }) => record.closeErrors.length > 0);
  // No sender waits for its reader.
  while (cut().length < 2) {
    for (const at of [0, 1, 2]) send(at);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const { record } of cut()) {
    expect(record.closeErrors).toMatchObject([
      { code: 'OVERFLOW', message: expect.stringContaining('principal ada') },
    ]);
  }
  send(3);
  await turnsUntil(() => bob.text().includes('"news"'));
  expect(sessions[3]?.record.closeErrors).toEqual([]);
  expect(memory.stats().largest[0]?.holder).toBe('principal ada');
  for (const { socket } of [...streams, bob]) socket.destroy();
  await turnsUntil(() => memory.heldBytes === 0);
});

test('a client that reads again is charged no more', async () => {
  const memory = new MemoryBudget({ maxBytes: 64 * mebibyte });
  const { url, sessions } = await stand({}, memory);
  const stream = await openRaw(url);
  // An open session is charged, too.
  const idle = memory.heldBytes;
  stream.incoming.pause();
  const sends = Array.from({ length: 200 }, () => sessions[0]?.connection.send(message));
  await turnsUntil(() => memory.heldBytes > mebibyte);
  stream.incoming.resume();
  await Promise.all(sends);
  await turnsUntil(() => memory.heldBytes === idle);
});

test('what is sent between the end of a stream and the report of it is charged no more', async () => {
  const memory = new MemoryBudget({ maxBytes: 64 * mebibyte });
  const server = createServer();
  let send = (): unknown => undefined;
  server.on('connection', (socket) => {
    // The turn of the event loop is used up, so that the end is reported in a later one.
    socket.on('close', () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      loopTurns.begin();
      vi.advanceTimersByTime(20);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { sessions, url } = await stand({ server }, memory);
  server.on('request', (_, response) => response.on('close', () => send()));
  onTestFinished(() => {
    vi.useRealTimers();
    server.close();
  });
  const stream = await openRaw(url);
  stream.incoming.pause();
  const [session] = sessions;
  send = () => session?.connection.send(message).catch(() => undefined);
  while (memory.heldBytes < mebibyte) {
    send();
    await new Promise((resolve) => setImmediate(resolve));
  }
  stream.socket.destroy();
  await turnsUntil(() => session?.record.closeErrors.length === 1);
  expect(memory.heldBytes).toBe(0);
});

test('messages that wait for the start of a session are charged to it until they are taken', async () => {
  const memory = new MemoryBudget({ maxBytes: 1_120_000 });
  const connections: Connection[] = [];
  const handle = await serveSse({
    memory,
    accept: (connection) => {
      connections.push(connection);
      return { drain: () => Promise.resolve(), closed: new Promise(() => undefined) };
    },
  });
  onTestFinished(() => handle.close());
  const body = JSON.stringify(message);
  const bytes = estimateRequestBytes(body);
  const streams = [await openRaw(handle.url), await openRaw(handle.url)];
  const idle = memory.heldBytes;
  const post = ({ endpoint }: RawStream): Promise<number> =>
    postTo(endpoint, body).then(({ status }) => status);
  const statuses = Promise.all(streams.map(post));
  await turnsUntil(() => memory.heldBytes === idle + 2 * bytes);
  // Both have the same address, and so one share.
  const [one, other] = [post(streams[0] as RawStream), post(streams[1] as RawStream)];
  await turnsUntil(() => memory.heldBytes === idle + 4 * bytes);
  expect(await post(streams[0] as RawStream)).toBe(503);
  const record = recording();
  connections[0]?.start(record);
  await turnsUntil(() => memory.heldBytes === idle + 2 * bytes);
  expect(record.messages).toHaveLength(2);
  await connections[1]?.close();
  expect([...(await statuses), await one, await other]).toEqual([202, 404, 202, 404]);
  await turnsUntil(() => memory.heldBytes === idle / 2);
});
