import type { AddressInfo } from 'node:net';
import { MemoryBudget, processMemory } from '@rxmcp/transport';
import { recording } from '@rxmcp/transport-tck/recording';
import { expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { webSocket } from '../src/index.js';
import { frame } from './frames.js';
import { type Raw, upgrade } from './raw.js';
import { leaveMemory } from '../../../../vitest.memory.js';
import { isRead, pass, stand, turnsUntil, virtualTime } from './stand.js';

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const message = `{"jsonrpc":"2.0","method":"${'x'.repeat(50_000)}"}`;

interface Begun extends Raw {
  more(bytes: number): void;
  finish(): void;
}

/** Begins a message on a connection of its own, and keeps its end back. */
async function begun(url: string, first = 45_000): Promise<Begun> {
  const raw = await upgrade(url);
  const whole = frame(message);
  let at = 0;
  const more = (bytes: number): void => {
    raw.socket.write(whole.subarray(at, (at += bytes)));
  };
  more(first);
  return { ...raw, more, finish: () => more(whole.length - at) };
}

test('fault 24: unfinished messages take no more buffer space than all may together, and release it', async () => {
  // Buffer space for 264,108 bytes: five of them, and not a sixth one.
  const { url, connection } = await stand({ maxMessageBytes: 60_000, maxBufferedBytes: 1 });
  const five: Begun[] = [];
  const served: Awaited<ReturnType<typeof connection>>[] = [];
  for (const at of [0, 1, 2, 3, 4]) {
    five.push(await begun(url));
    served.push(await connection(at));
  }
  await Promise.all(five.map(({ socket }) => isRead(socket)));
  const sixth = await begun(url);
  expect(await sixth.closeCode()).toBe(1013);
  expect((await connection(5)).record.closeErrors).toMatchObject([
    { code: 'OVERFLOW', details: { closeCode: 1013 } },
  ]);
  // No client was closed for it, small ones pass, and what is whole holds nothing.
  const small = await upgrade(url);
  small.socket.write(frame(ping));
  const { record } = await connection(6);
  await turnsUntil(() => record.messages.length === 1);
  for (const { finish } of five) finish();
  await turnsUntil(() => served.every((one) => one.record.messages.length === 1));
  const again = [];
  for (const _ of five) again.push(await begun(url));
  await connection(11);
  // A client that leaves gives back what it held.
  again[0]?.socket.destroy();
  const left = await connection(7);
  await turnsUntil(() => left.record.closeErrors.length === 1);
  const last = await begun(url);
  const { record: end } = await connection(12);
  // What comes in one chunk with its end is never held.
  await isRead(last.socket);
  last.finish();
  await turnsUntil(() => end.messages.length === 1);
  expect(end.closeErrors).toEqual([]);
});

test('fault 24: pings and pongs hold nothing, also between the parts of a message', async () => {
  const { url, connection } = await stand({ maxMessageBytes: 60_000, maxBufferedBytes: 1 });
  const { socket } = await upgrade(url);
  const { record } = await connection();
  socket.write(frame(ping.slice(0, 9), { fin: false }));
  // More than twice the buffer space.
  const pongs = Buffer.concat(Array.from({ length: 400 }, () => frame('p'.repeat(100), { opcode: 10 })));
  for (let round = 0; round < 7; round += 1) {
    socket.write(pongs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.write(frame(ping.slice(9), { opcode: 0 }));
  await turnsUntil(() => record.messages.length + record.closeErrors.length === 1);
  expect(record.messages).toEqual([JSON.parse(ping)]);
});

test.each([
  ['one byte', 1],
  ['the head', 8],
  ['40,000 bytes', 40_000],
])('fault 24: %s of a message keeps the whole chunk that ends another one', async (_what, part) => {
  const { url, connection } = await stand({ maxMessageBytes: 60_000, maxBufferedBytes: 1 });
  const both = Buffer.concat([frame(ping.padEnd(45_000 - part)), frame(message).subarray(0, part)]);
  for (const at of [0, 1, 2, 3, 4]) {
    const { socket } = await upgrade(url);
    socket.write(both);
    const { record } = await connection(at);
    await turnsUntil(() => record.messages.length === 1);
  }
  await begun(url, 46_000);
  const { record } = await connection(5);
  await turnsUntil(() => record.closeErrors.length === 1);
  expect(record.closeErrors).toMatchObject([{ code: 'OVERFLOW' }]);
});

test('fault 24: over the buffer limit the connection that holds most is cut at once, and not the next one', async () => {
  const { url, connection } = await stand({ maxMessageBytes: 60_000, maxBufferedBytes: 1 });
  const most = await begun(url, 48_000);
  const others = [];
  for (const bytes of [33_000, 45_000, 43_000, 43_000, 43_000]) others.push(await begun(url, bytes));
  const served = await Promise.all(others.map((_, at) => connection(at + 1)));
  await Promise.all([most, ...others].map(({ socket }) => isRead(socket)));
  // About 8,300 bytes are left.
  others[0]?.more(9_000);
  expect(await most.closeCode()).toBe(1013);
  expect((await connection(0)).record.closeErrors).toMatchObject([
    { code: 'OVERFLOW', details: { closeCode: 1013 } },
  ]);
  const next = await begun(url, 10_000);
  const { record } = await connection(6);
  for (const { finish } of others) finish();
  await turnsUntil(() => served.every((one) => one.record.messages.length === 1));
  // Its rest of 40,000 bytes also counts while it waits to be parsed.
  next.finish();
  await turnsUntil(() => record.messages.length === 1);
});

test('fault 24: a fragment of one byte counts more than its byte', async () => {
  const { url, connection } = await stand({ maxMessageBytes: 60_000, maxBufferedBytes: 1 });
  const { socket, closeCode } = await upgrade(url);
  const pieces = Array.from({ length: 2_200 }, () => frame('a', { opcode: 0, fin: false }));
  socket.write(Buffer.concat([frame('a', { fin: false }), ...pieces]));
  expect(await closeCode()).toBe(1013);
  expect((await connection()).record.closeErrors).toMatchObject([{ code: 'OVERFLOW' }]);
});

test('fault 24: what comes while a connection closes is charged until it is whole or the connection has closed', async () => {
  const memory = new MemoryBudget({ maxBytes: 1_000_000 });
  const { url, connection } = await stand({ maxMessageBytes: 60_000 }, memory);
  const { socket } = await upgrade(url);
  const { record } = await connection();
  // A binary frame is no message, so that the server closes. This client sends no close frame.
  socket.write(frame('x', { opcode: 2 }));
  await turnsUntil(() => record.closeErrors.length === 1);
  const idle = memory.heldBytes;
  for (const fin of [true, false]) {
    socket.write(frame('x'.repeat(45_000), { fin: false }));
    await turnsUntil(() => memory.heldBytes > idle + 45_000);
    if (fin) {
      socket.write(frame('x', { opcode: 0 }));
      await turnsUntil(() => memory.heldBytes === idle);
    }
  }
  socket.destroy();
  await turnsUntil(() => memory.heldBytes === 0);
});

test.each([
  ['in one frame', frame(message).subarray(0, 100)],
  ['in fragments', frame(ping.slice(0, 9), { fin: false })],
])('row 54: a message %s that does not come in full ends its connection after 30 s', async (_what, part) => {
  virtualTime();
  const { url, connection } = await stand();
  const slow = await upgrade(url);
  const { record } = await connection();
  // In one chunk: the part is read when the whole message is.
  slow.socket.write(Buffer.concat([frame(ping), part]));
  await turnsUntil(() => record.messages.length === 1);
  // Neither a ping nor a further part moves the deadline.
  await pass(20_000);
  slow.socket.write(part[0] === 1 ? frame('p', { opcode: 9 }) : 'more');
  await isRead(slow.socket);
  await pass(9_000);
  expect(record.closeErrors).toEqual([]);
  await pass(2_000);
  expect(record.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', details: { closeCode: 1008 } }]);
});

test('a message that comes in full in time leaves no deadline', async () => {
  virtualTime();
  const { url, connection } = await stand({
    firstMessageTimeoutMs: Infinity,
    heartbeatIntervalMs: 3_600_000,
  });
  const one = await begun(url);
  const { record } = await connection();
  await isRead(one.socket);
  await pass(20_000);
  one.finish();
  await turnsUntil(() => record.messages.length === 1);
  await pass(40_000);
  expect(record.closeErrors).toEqual([]);
});

test('a client is charged for the unfinished messages of its servers, and the largest makes room', async () => {
  const sockets: WebSocket[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'mcp' });
  server.on('connection', (one) => void sockets.push(one));
  onTestFinished(() => {
    for (const one of sockets) one.terminate();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const dialled = async () => {
    const connection = await webSocket(`ws://127.0.0.1:${String(port)}`).dial();
    const record = recording();
    connection.start(record);
    return { connection, record };
  };
  const memory = processMemory();
  const idle = memory.heldBytes;
  const [large, small] = [await dialled(), await dialled()];
  const part = 'x'.repeat(100_000);
  sockets[0]?.send(`{"jsonrpc":"2.0","method":"${part}`, { fin: false });
  await turnsUntil(() => memory.heldBytes > idle + 100_000);
  leaveMemory(memory, 150_000);
  const full = memory.heldBytes;
  sockets[1]?.send(`{"jsonrpc":"2.0","method":"${'x'.repeat(90_000)}`, { fin: false });
  sockets[0]?.send(part, { fin: false });
  await turnsUntil(() => large.record.closeErrors.length === 1);
  expect(large.record.closeErrors).toMatchObject([
    { code: 'OVERFLOW', message: expect.stringContaining('memory budget of this process') },
  ]);
  sockets[1]?.send('"}');
  await turnsUntil(() => small.record.messages.length === 1);
  await small.connection.close();
  expect(memory.heldBytes).toBeLessThan(full - 100_000);
});
