import { estimateRequestBytes, MemoryBudget } from '@rxmcp/transport';
import { expect, test, vi } from 'vitest';
import { ask, openRaw, stand, turnsUntil } from './stand.js';

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
  expect(memory.stats().largest.map(({ holder }) => holder)).toEqual(['principal ada']);
  for (const { socket } of streams) socket.destroy();
  await turnsUntil(() => memory.heldBytes === 0);
});

test('a client that reads again is charged no more', async () => {
  const memory = new MemoryBudget({ maxBytes: 64 * mebibyte });
  const { url, sessions } = await stand({}, memory);
  const stream = await openRaw(url);
  stream.incoming.pause();
  const sends = Array.from({ length: 200 }, () => sessions[0]?.connection.send(message));
  await turnsUntil(() => memory.heldBytes > mebibyte);
  stream.incoming.resume();
  await Promise.all(sends);
  await turnsUntil(() => memory.heldBytes === 0);
});

test('messages that wait since a client reads nothing are charged to it until they are taken', async () => {
  const memory = new MemoryBudget({ maxBytes: 64 * mebibyte });
  const { url, origin, sessions } = await stand({}, memory);
  const stream = await openRaw(url);
  await turnsUntil(() => stream.text().includes('endpoint'));
  const target = `${origin}${/data: (.*)\n/.exec(stream.text())?.[1] ?? ''}`;
  stream.incoming.pause();
  const sends = Array.from({ length: 400 }, () => sessions[0]?.connection.send(message));
  await turnsUntil(() => memory.heldBytes > mebibyte);
  const charge = vi.spyOn(memory, 'tryCharge');
  const body = JSON.stringify(message);
  const headers = { 'content-type': 'application/json' };
  const posts = [1, 2].map(() => ask(target, { method: 'POST', headers, body }));
  const charged = (): number[] => charge.mock.calls.map(([, bytes]) => bytes);
  await turnsUntil(() => charged().filter((bytes) => bytes === estimateRequestBytes(body)).length === 2);
  stream.incoming.resume();
  await Promise.all(sends);
  expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([202, 202]);
  await turnsUntil(() => memory.heldBytes === 0);
});
