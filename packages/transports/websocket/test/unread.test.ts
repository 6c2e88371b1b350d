import { once } from 'node:events';
import { type Connection, MemoryBudget } from '@rxmcp/transport';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { frame } from './frames.js';
import { upgrade } from './raw.js';
import { type Accepted, isRead, stand, turnsUntil } from './stand.js';

const mebibyte = 1024 * 1024;
const authenticate = (head: { headerValues(name: string): readonly string[] }) => ({
  principal: head.headerValues('authorization')[0] ?? '',
});
const message = { jsonrpc: '2.0', method: 'news', params: { pad: 'x'.repeat(64_000) } } as const;

async function client(url: string, authorization: string): Promise<WebSocket> {
  const socket = new WebSocket(url, 'mcp', { perMessageDeflate: false, headers: { authorization } });
  onTestFinished(() => socket.terminate());
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return socket;
}

/** Sends until the connection ends. */
async function sendWithoutEnd(connection: Connection): Promise<unknown> {
  try {
    for (;;) await connection.send(message);
  } catch (error) {
    return error;
  }
}

test('clients of one principal that read nothing are cut beyond its share, and another one is served', async () => {
  const memory = new MemoryBudget({ maxBytes: 5 * mebibyte });
  const { url, connection } = await stand({ authenticate }, memory);
  const ends: Promise<unknown>[] = [];
  const accepted: Accepted[] = [];
  for (let at = 0; at < 4; at += 1) {
    (await client(url, 'ada')).pause();
    accepted.push(await connection(at));
    ends.push(sendWithoutEnd((await connection(at)).connection));
  }
  // Each would hold 1 MiB, and their principal may hold 2.5 MiB.
  const cut = () => accepted.filter(({ record }) => record.closeErrors.length > 0);
  await turnsUntil(() => cut().length === 2);
  for (const { record } of cut()) {
    expect(record.closeErrors).toMatchObject([
      { code: 'OVERFLOW', message: expect.stringContaining('principal ada') },
    ]);
  }
  expect(await Promise.race(ends)).toMatchObject({ code: 'OVERFLOW' });
  const bob = await client(url, 'bob');
  const heard = once(bob, 'message');
  await (await connection(4)).connection.send(message);
  await heard;
  await turnsUntil(() => memory.heldBytes <= 2.5 * mebibyte && memory.heldBytes >= 2 * mebibyte);
  expect(memory.stats().largest[0]?.holder).toBe('principal ada');
  bob.terminate();
  for (const { connection: open } of accepted) await open.close();
  await Promise.all(ends);
  await turnsUntil(() => memory.heldBytes === 0);
});

test('a client that reads again is charged no more', async () => {
  const memory = new MemoryBudget({ maxBytes: 64 * mebibyte });
  const { url, connection } = await stand({ authenticate }, memory);
  const socket = await client(url, 'ada');
  socket.pause();
  const { connection: served } = await connection();
  // An open connection is charged, too.
  const idle = memory.heldBytes;
  const sends = Array.from({ length: 200 }, () => served.send(message));
  await turnsUntil(() => memory.heldBytes > mebibyte);
  socket.resume();
  await Promise.all(sends);
  await turnsUntil(() => memory.heldBytes === idle);
});

const large = frame(`{"jsonrpc":"2.0","method":"${'x'.repeat(50_000)}"}`);

async function unfinished(url: string, authorization: string, bytes: number) {
  const raw = await upgrade(url, { authorization });
  raw.socket.write(large.subarray(0, bytes));
  await isRead(raw.socket);
  return raw;
}

test('beyond its share the largest unfinished message of a principal is cut, and not a larger one of another', async () => {
  const memory = new MemoryBudget({ maxBytes: mebibyte });
  const { url, connection } = await stand(
    { authenticate, maxMessageBytes: 60_000, maxBufferedBytes: 600_000 },
    memory,
  );
  const bob = await unfinished(url, 'bob', 49_000);
  const most = await unfinished(url, 'ada', 48_000);
  const others = [];
  for (let at = 0; at < 5; at += 1) others.push(await unfinished(url, 'ada', 45_000));
  expect(memory.heldBytes).toBeGreaterThan(49_000 + 48_000 + 5 * 45_000);
  expect(memory.stats().largest).toMatchObject([{ holder: 'principal ada' }, { holder: 'principal bob' }]);
  others.push(await unfinished(url, 'ada', 45_000));
  expect(await most.closeCode()).toBe(1013);
  expect((await connection(1)).record.closeErrors).toMatchObject([
    { code: 'OVERFLOW', message: expect.stringContaining('of principal ada') },
  ]);
  bob.socket.write(large.subarray(49_000));
  const { record } = await connection(0);
  await turnsUntil(() => record.messages.length === 1);
  for (const { socket } of [bob, ...others]) socket.destroy();
  await turnsUntil(() => memory.heldBytes === 0);
});

test('beyond the limit of all the principal that holds most makes room, and not one with a larger message', async () => {
  const { url, connection } = await stand({
    authenticate,
    maxMessageBytes: 60_000,
    maxBufferedBytes: 300_000,
  });
  const ada = [];
  for (const bytes of [30_000, 31_000, 32_000, 33_000]) ada.push(await unfinished(url, 'ada', bytes));
  await unfinished(url, 'bob', 49_000);
  await unfinished(url, 'bob', 48_000);
  await unfinished(url, 'eve', 49_000);
  await unfinished(url, 'dan', 49_000);
  expect(await ada[3]?.closeCode()).toBe(1013);
  for (const at of [0, 1, 2, 4, 5, 6, 7]) expect((await connection(at)).record.closeErrors).toEqual([]);
});
