import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { type Connection, MemoryBudget } from '@rxmcp/transport';
import { connectionHandler, recording, type Recording } from '@rxmcp/transport-tck/recording';
import { expect, onTestFinished, test } from 'vitest';
import { serveStdio } from '../../src/index.js';
import { serveSocket } from '../../src/net.js';
import { turnsUntil } from '../child.js';

const mebibyte = 1024 * 1024;
const message = { jsonrpc: '2.0', method: 'news', params: { pad: 'x'.repeat(64_000) } } as const;

/** A server within a budget, which keeps what happens on its connections. */
function withinBudget(maxBytes: number) {
  const memory = new MemoryBudget({ maxBytes });
  const connections: Connection[] = [];
  const heard: Recording[] = [];
  const handler = connectionHandler((connection) => {
    const record = recording();
    connections.push(connection);
    heard.push(record);
    return record;
  });
  const send = (at: number): unknown => connections[at]?.send(message).catch(() => undefined);
  return { memory, heard, connections, send, handler: { ...handler, memory } };
}

async function client(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

test('clients of one principal that read nothing are cut beyond its share, and another one is served', async () => {
  const { memory, heard, connections, send, handler } = withinBudget(4 * mebibyte);
  const [ada, bob] = [
    await serveSocket(handler, { port: 0, principal: 'ada' }),
    await serveSocket(handler, { port: 0, principal: 'bob' }),
  ];
  onTestFinished(() => Promise.all([ada.close(), bob.close()]).then(() => undefined));
  const sockets = [await client(ada.port), await client(ada.port), await client(ada.port)];
  await turnsUntil(() => connections.length === 3);
  const cut = () => heard.filter(({ closeErrors }) => closeErrors.length > 0);
  // No sender waits for its reader.
  while (cut().length < 2) {
    for (const at of [0, 1, 2]) send(at);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const { closeErrors } of cut()) {
    expect(closeErrors).toMatchObject([
      { code: 'OVERFLOW', message: expect.stringContaining('principal ada') },
    ]);
  }
  const reading = await client(bob.port);
  await turnsUntil(() => connections.length === 4);
  const answered = new Promise((resolve) => reading.once('data', resolve));
  send(3);
  await answered;
  expect(memory.stats().largest[0]?.holder).toBe('principal ada');
  expect(memory.stats().largest.map(({ holder }) => holder)).not.toContain('principal bob');
  for (const socket of [...sockets, reading]) socket.destroy();
  await turnsUntil(() => memory.heldBytes === 0);
});

test('a client that reads again is charged no more', async () => {
  const { memory, connections, handler } = withinBudget(64 * mebibyte);
  const { port, close } = await serveSocket(handler, { port: 0 });
  onTestFinished(close);
  const socket = await client(port);
  await turnsUntil(() => connections.length === 1);
  const idle = memory.heldBytes;
  const sends = Array.from({ length: 200 }, () => connections[0]?.send(message));
  await turnsUntil(() => memory.heldBytes > mebibyte);
  socket.resume();
  await Promise.all(sends);
  await turnsUntil(() => memory.heldBytes === idle);
});

test('the client of a pipe that reads nothing is cut as well', async () => {
  const { memory, heard, send, handler } = withinBudget(mebibyte);
  const { close } = serveStdio(handler, { input: new PassThrough(), output: new PassThrough() });
  onTestFinished(close);
  while (heard[0]?.closeErrors.length === 0) {
    send(0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(heard[0]?.closeErrors).toMatchObject([{ code: 'OVERFLOW' }]);
  await turnsUntil(() => memory.heldBytes === 0);
});

test('the client of a pipe that is closed is charged no more', async () => {
  const { memory, send, handler } = withinBudget(64 * mebibyte);
  const { close } = serveStdio(handler, { input: new PassThrough(), output: new PassThrough() });
  for (let sent = 0; sent < 10; sent += 1) send(0);
  await turnsUntil(() => memory.heldBytes > 500_000);
  await close();
  expect(memory.heldBytes).toBe(0);
});
