import { acceptedImmediately } from '@rxmcp/transport';
import { expect, test } from 'vitest';
import { dialPeer, runs, until } from './child.js';
import { answered, flooded } from './found.js';
import { signalsSent } from './signals.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';

const ping = (id: number, params = {}) => ({ jsonrpc: '2.0', id, method: 'ping', params }) as const;

const rounds = exhaustive ? 4_096 : 1_024;

test('fault 6: a flood of 64 MiB, or 256, takes at most 16 MiB of memory', async () => {
  const { messages, grownMiB } = await flooded('flood', 10_485_760, rounds);
  expect(messages).toBe(rounds * 8 + 1);
  expect(grownMiB).toBeLessThan(16);
});

test('fault 5: sends to a stopped child wait; nothing is lost or doubled when it continues', async () => {
  const { connection, heard } = await dialPeer(['tree', '2'], {
    closeTimeouts: { stdinTimeoutMs: 100, sigtermTimeoutMs: 100 },
  });
  await until(() => expect(heard.messages).toHaveLength(3));
  const { pid } = (heard.messages[0] as { params: { pid: number } }).params;
  heard.messages.length = 0;
  process.kill(pid, 'SIGSTOP');
  const sends: Promise<void>[] = [];
  for (let id = 0; id < 100; id += 1) {
    sends.push(connection.send(ping(id, { x: 'x'.repeat(20_000) })));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sends.at(-1)).not.toBe(acceptedImmediately);
  expect(heard.messages).toEqual([]);
  process.kill(pid, 'SIGCONT');
  await Promise.all(sends);
  await until(() => expect(heard.messages).toHaveLength(100));
  expect(heard.messages.map((message) => (message as { id: number }).id)).toEqual([...Array(100).keys()]);
});

test('a child that never reads ends with STALLED, and waiting sends with it', async () => {
  const { connection, heard } = await dialPeer(['deaf'], { writeTimeoutMs: 100 });
  const sends = Array.from({ length: 100 }, (_, id) =>
    connection.send(ping(id, { x: 'x'.repeat(100_000) })).then(
      () => 'accepted',
      (error: unknown) => (error as { code: string }).code,
    ),
  );
  await until(() =>
    expect(heard.closeErrors).toMatchObject([{ code: 'STALLED', details: { signal: 'SIGKILL' } }]),
  );
  expect((await Promise.all(sends)).at(-1)).toBe('STALLED');
});

test('a child that asks without end and never reads is read no more, and closed with a signal', async () => {
  const { asked, grownMiB, code, signals } = await answered(30_000);
  expect(asked).toBeGreaterThan(1_024);
  expect(grownMiB).toBeLessThan(32);
  expect(signals).toEqual(['SIGTERM']);
  expect(code).toBe('');
});

test('fault 3: a tree that asks without end, reads nothing and ignores SIGTERM is ended by a close', async () => {
  const pids: number[] = [];
  let asked = 0;
  const closeTimeouts = { stdinTimeoutMs: 100, sigtermTimeoutMs: 100 };
  const { connection } = await dialPeer(['asks-tree'], { closeTimeouts }, (message, to) => {
    const { method, params } = message as { method: string; params?: { pid: number } };
    if (method === 'level') pids.push(params?.pid ?? 0);
    else to.send({ jsonrpc: '2.0', id: (asked += 1), result: {} }).catch(() => undefined);
  });
  await until(() => expect([pids.length, asked > 2_000]).toEqual([2, true]));
  expect(pids.map(runs)).toEqual([true, true]);
  const signals = signalsSent();
  await connection.close();
  expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
  await until(() => expect(pids.map(runs)).toEqual([false, false]));
});

test('a child that asks without end and never reads ends with STALLED', async () => {
  expect(await answered(500)).toMatchObject({ code: 'STALLED' });
});

test('a child that reads on only when it is read gets all our requests, however many wait', async () => {
  const { connection, heard } = await dialPeer(['patient']);
  for (let id = 0; id < 2_000; id += 1) {
    void connection.send(ping(id, { x: 'x'.repeat(10_000) }));
    if (id % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => expect(heard.messages).toHaveLength(2_000));
});

test('what a child that was not read wrote before it ended is delivered', async () => {
  const { heard } = await dialPeer(['asks-and-goes'], {}, (_message, connection) => {
    const response = { jsonrpc: '2.0', id: 7, result: { x: 'x'.repeat(10_000) } } as const;
    connection.send(response).catch(() => undefined);
  });
  await until(() => expect(heard.closeErrors).toMatchObject([{ code: 'PEER_CLOSED' }]));
  expect(heard.messages.at(-1)).toMatchObject({ method: 'last' });
});
