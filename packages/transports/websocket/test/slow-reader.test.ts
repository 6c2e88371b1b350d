import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { Connection } from '@rxmcp/transport';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { webSocket } from '../src/index.js';
import { recording } from '@rxmcp/transport-tck/recording';
import { type Accepted, pass, type Stand, stand, turnsUntil, virtualTime } from './stand.js';

const pad = 'x'.repeat(4_000);
const message = { jsonrpc: '2.0', method: 'news', params: { pad } } as const;
const mebibyte = 1024 * 1024;

/** A client that can stop to read, as ours cannot be asked to. */
async function reader(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, 'mcp', { perMessageDeflate: false });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  socket.send('{"jsonrpc":"2.0","method":"hello"}');
  return socket;
}

/** The serving side, once it has received its client. */
async function greeted(connection: Stand['connection']): Promise<Accepted> {
  const accepted = await connection();
  await turnsUntil(() => accepted.record.messages.length === 1);
  return accepted;
}

/** Sends until a send waits; gives that send, in a box since it would be waited for otherwise. */
async function untilOneWaits(
  connection: Pick<Connection, 'send'>,
): Promise<{ readonly waiting: Promise<void> }> {
  for (;;) {
    const send = connection.send(message);
    send.catch(() => undefined);
    const taken = await Promise.race([send.then(() => true), settledLater()]);
    if (!taken) return { waiting: send };
  }
}

async function settledLater(): Promise<boolean> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return false;
}

describe('fault 13: a client that does not read', () => {
  test('is cut with 1013 after 30 s, having cost little memory', async () => {
    virtualTime();
    const { url, connection } = await stand();
    const socket = await reader(url);
    const { connection: served, record } = await greeted(connection);
    socket.pause();
    const { waiting } = await untilOneWaits(served);
    const failed = expect(waiting).rejects.toMatchObject({ code: 'STALLED' });
    await pass(29_000);
    expect(record.closeErrors).toEqual([]);
    const closed = once(socket, 'close');
    await pass(1_000);
    expect(record.closeErrors).toMatchObject([{ code: 'STALLED' }]);
    await failed;
    socket.resume();
    const [code] = (await closed) as [number];
    expect(code).toBe(1013);
  });

  test('makes sends wait at 1 MiB or 1,024 messages, and accepted messages arrive once it reads', async () => {
    const { url, connection } = await stand();
    const socket = await reader(url);
    let arrived = 0;
    socket.on('message', () => (arrived += 1));
    const { connection: served } = await greeted(connection);
    socket.pause();
    let sent = 0;
    const { waiting } = await untilOneWaits({ send: (out) => ((sent += 1), served.send(out)) });
    socket.resume();
    await waiting;
    await turnsUntil(() => arrived === sent);
  });

  test('that reads now and then is not cut', async () => {
    virtualTime();
    const { url, connection } = await stand();
    const socket = await reader(url);
    const { connection: served, record } = await greeted(connection);
    for (let round = 0; round < 4; round += 1) {
      socket.pause();
      const { waiting } = await untilOneWaits(served);
      await pass(20_000, 10_000);
      socket.resume();
      await waiting;
    }
    expect(record.closeErrors).toEqual([]);
  });

  test('is not read either, so that its requests wait below', async () => {
    const { url, connection } = await stand();
    const socket = await reader(url);
    const { connection: served, record } = await greeted(connection);
    socket.pause();
    const { waiting } = await untilOneWaits(served);
    socket.send('{"jsonrpc":"2.0","method":"more"}');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(record.messages).toHaveLength(1);
    socket.resume();
    await waiting;
    await turnsUntil(() => record.messages.length === 2);
  });

  test('does not slow down another one', async () => {
    const { url, connection } = await stand();
    const slow = await reader(url);
    const { connection: stalled } = await greeted(connection);
    slow.pause();
    void untilOneWaits(stalled);
    const healthy = await reader(url);
    let arrived = 0;
    healthy.on('message', () => (arrived += 1));
    const { connection: served } = await connection(1);
    for (let count = 0; count < 500; count += 1) await served.send(message);
    await turnsUntil(() => arrived === 500);
  });
});

describe('a server that does not read', () => {
  test('ends with STALLED after 30 s', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
    onTestFinished(() => server.close());
    server.on('connection', (socket) => {
      onTestFinished(() => socket.terminate());
      socket.pause();
    });
    await once(server, 'listening');
    virtualTime();
    const { port } = server.address() as AddressInfo;
    const client = await webSocket(`ws://127.0.0.1:${String(port)}`).dial();
    const record = recording();
    client.start(record);
    await untilOneWaits(client);
    await pass(29_000);
    expect(record.closeErrors).toEqual([]);
    await pass(1_000);
    expect(record.closeErrors).toMatchObject([{ code: 'STALLED' }]);
  });
});

describe('a feeder that does not wait', () => {
  test('ends its connection with OVERFLOW at 64 MiB', async () => {
    const { url, connection } = await stand();
    const socket = await reader(url);
    const { connection: served, record } = await greeted(connection);
    socket.pause();
    const big = { jsonrpc: '2.0', method: 'news', params: { pad: 'x'.repeat(mebibyte) } } as const;
    const sends = Array.from({ length: 80 }, () => served.send(big).catch((error: unknown) => error));
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.closeErrors).toMatchObject([{ code: 'OVERFLOW' }]);
    expect((await Promise.all(sends)).at(-1)).toMatchObject({ outcome: 'not-sent' });
  });
});

test('a client whose sends wait reads from its start, so that two that wait for each other continue', async () => {
  const { url, connection } = await stand();
  const client = await webSocket(url).dial();
  onTestFinished(() => client.close());
  void client.send(message);
  const { connection: served } = await greeted(connection);
  const { waiting: sends } = await untilOneWaits(served);
  const { waiting: asked } = await untilOneWaits(client);
  client.start(recording());
  await sends;
  await asked;
});

describe('sends that wait', () => {
  test.each([
    ['the client is cut', (socket: WebSocket) => socket.terminate(), 'CONNECTION_LOST'],
    ['the client resets', (socket: WebSocket) => resetSocket(socket), 'CONNECTION_LOST'],
    [
      'this side closes',
      (socket: WebSocket, served: Connection) => (served.close(), resetSocket(socket)),
      'CLOSED',
    ],
  ])('are lost, and not sent, where %s', async (_how, end, code) => {
    const { url, connection } = await stand();
    const socket = await reader(url);
    const { connection: served } = await greeted(connection);
    socket.pause();
    const { waiting } = await untilOneWaits(served);
    void end(socket, served);
    await expect(waiting).rejects.toMatchObject({ code });
  });
});

function resetSocket(socket: WebSocket): void {
  (socket as unknown as { _socket: Socket })._socket.resetAndDestroy();
}
