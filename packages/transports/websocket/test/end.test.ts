import type { Socket } from 'node:net';
import type { Connection } from '@rxmcp/transport';
import { loopTurns } from '@rxmcp/transport/internal';
import { recording, type Recording } from '@rxmcp/transport-tck/recording';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hasClosed } from '../src/channel/close-codes.js';
import { webSocket, type WebSocketOptions } from '../src/index.js';
import { certificate } from '../../../../vitest.certificate.js';
import { frame } from './frames.js';
import { upgrade } from './raw.js';
import { isRead, pass, stand, turnsUntil, virtualTime } from './stand.js';

async function client(
  url: string,
  options: WebSocketOptions = {},
): Promise<{ connection: Connection; record: Recording }> {
  const connection = await webSocket(url, options).dial();
  const record = recording();
  connection.start(record);
  return { connection, record };
}

describe('the serving side ends', () => {
  test('fault 15: a drain sends 1012, and refuses new clients meanwhile', async () => {
    const { url, drain, connection } = await stand();
    const { record } = await client(url);
    const { record: far } = await connection();
    await drain({ timeoutMs: 1_000 });
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.closeErrors).toMatchObject([{ code: 'PEER_CLOSED', details: { closeCode: 1012 } }]);
    expect(far.closeErrors).toEqual([undefined]);
    await expect(webSocket(url).dial()).rejects.toMatchObject({ code: 'DIAL_FAILED' });
  });

  test.each(['ws', 'wss'])('a drain over %s lets a call finish that takes seconds', async (scheme) => {
    const tls = certificate();
    let finish = (): void => undefined;
    const worked = new Promise<void>((resolve) => (finish = resolve));
    const { url, drain, connection } = await stand(scheme === 'wss' ? { tls } : {}, undefined, worked);
    const { connection: near, record } = await client(url, scheme === 'wss' ? { ca: tls.cert } : {});
    await near.send({ jsonrpc: '2.0', id: 1, method: 'slow' });
    const { connection: far, record: served } = await connection();
    await turnsUntil(() => served.messages.length === 1);
    virtualTime();
    const drained = drain({ timeoutMs: 10_000 });
    await pass(5_000);
    await far.send({ jsonrpc: '2.0', id: 1, result: {} });
    finish();
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    expect(record.closeErrors).toMatchObject([{ code: 'PEER_CLOSED', details: { closeCode: 1012 } }]);
    vi.useRealTimers();
    await drained;
  });

  test('a close sends 1001', async () => {
    const { url, close } = await stand();
    const { record } = await client(url);
    await close();
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.closeErrors).toMatchObject([{ code: 'PEER_CLOSED', details: { closeCode: 1001 } }]);
  });

  test('one connection sends 1000', async () => {
    const { url, connection } = await stand();
    const { record } = await client(url);
    await (await connection()).connection.close();
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.closeErrors).toMatchObject([{ code: 'PEER_CLOSED', details: { closeCode: 1000 } }]);
  });

  test('a client whose event loop is busy, so that the close waits to be parsed, is notified', async () => {
    const { url, connection } = await stand();
    const { record } = await client(url);
    const { connection: far } = await connection();
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let isBusy = true;
    const usesTurn = (): void => {
      if (!isBusy) return;
      vi.advanceTimersByTime(20);
      loopTurns.run('busy', usesTurn);
    };
    onTestFinished(() => void (isBusy = false));
    usesTurn();
    await far.close();
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.closeErrors).toMatchObject([{ code: 'PEER_CLOSED', details: { closeCode: 1000 } }]);
  });

  test('a client that answers no close is cut after 2 s', async () => {
    const { url, connection } = await stand();
    const { closeCode } = await upgrade(url);
    const closing = (await connection()).connection.close();
    expect(await closeCode()).toBe(1000);
    await closing;
  });
});

describe('the client ends', () => {
  test.each([
    ['1000', Buffer.from([0x03, 0xe8])],
    ['1001', Buffer.from([0x03, 0xe9])],
    ['no status', Buffer.alloc(0)],
  ])('with %s: in order, without an error', async (_, payload) => {
    const { url, connection } = await stand();
    const { socket } = await upgrade(url);
    const { record } = await connection();
    socket.write(frame(payload, { opcode: 8 }));
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.closeErrors).toEqual([undefined]);
  });

  test.each([
    ['1011', Buffer.from([0x03, 0xf3]), 1011],
    ['4000', Buffer.from([0x0f, 0xa0]), 4000],
  ])('with %s: CONNECTION_LOST', async (_, payload, closeCode) => {
    const { url, connection } = await stand();
    const { socket } = await upgrade(url);
    const { record } = await connection();
    socket.write(frame(payload, { opcode: 8 }));
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', details: { closeCode } }]);
  });

  test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'fault 8: by %s of its socket: CONNECTION_LOST',
    async (how) => {
      const { url, connection } = await stand();
      const { socket } = await upgrade(url);
      const { record } = await connection();
      socket[how]();
      await turnsUntil(() => record.closeErrors.length === 1);
      expect(record.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', details: { closeCode: 1006 } }]);
    },
  );
});

test('faults 26 and 27: hundreds of connections that close at once, each closing again, leave none', async () => {
  const { url, accepted } = await stand();
  const clients = await Promise.all(Array.from({ length: 300 }, () => webSocket(url).dial()));
  let ended = 0;
  for (const connection of clients) {
    connection.start({ ...recording(), closed: () => void ((ended += 1), connection.close()) });
  }
  await Promise.all(clients.map((connection) => connection.close()));
  await turnsUntil(() => ended === 300 && accepted.every(({ record }) => record.closeErrors.length === 1));
  expect(accepted).toHaveLength(300);
});

test('fault 28: an acceptor that throws closes its own client only, with 1011', async () => {
  const { serveWebSocket } = await import('../src/node.js');
  let count = 0;
  const serving = await serveWebSocket({
    accept(connection) {
      count += 1;
      if (count === 1) throw new Error('full');
      connection.start(recording());
      return { drain: () => Promise.resolve(), closed: new Promise(() => undefined) };
    },
  });
  const { record } = await client(serving.url);
  await turnsUntil(() => record.closeErrors.length === 1);
  expect(record.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', details: { closeCode: 1011 } }]);
  const second = await client(serving.url);
  await second.connection.send({ jsonrpc: '2.0', method: 'hello' });
  expect(second.record.closeErrors).toEqual([]);
  await serving.close();
});

describe('a close waits', () => {
  const never = new Promise<void>(() => undefined);
  const after = async (left: () => number, gone = never): Promise<[boolean, number]> => {
    virtualTime();
    const startedAt = performance.now();
    const waited = hasClosed(gone, left).then((isClosed): [boolean, number] => [
      isClosed,
      performance.now() - startedAt,
    ]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(vi.getTimerCount()).toBe(0);
    return waited;
  };

  test('1 s where the peer takes nothing of the backlog', async () => {
    expect(await after(() => 500_000)).toEqual([false, 1_000]);
  });

  test('2 s for the response of the other side', async () => {
    expect(await after(() => 0)).toEqual([false, 2_000]);
  });

  test('4 s while less and less waits', async () => {
    let left = 1_000_000;
    expect(await after(() => (left -= 1))).toEqual([false, 4_000]);
  });

  test('no longer than until it is sent', async () => {
    expect(await after(() => 0, Promise.resolve())).toEqual([true, 0]);
  });
});

test.each([
  ['ends', (socket: Socket) => socket.end()],
  ['is reset', (socket: Socket) => socket.resetAndDestroy()],
])('a socket that %s while its close frame waits for a turn ends the connection', async (_how, end) => {
  const { url, connection } = await stand();
  const { socket } = await upgrade(url);
  const { record } = await connection();
  const over = vi.spyOn(loopTurns, 'isOver', 'get').mockReturnValue(true);
  onTestFinished(() => over.mockRestore());
  const reason = Buffer.from([1009 >> 8, 1009 & 0xff]);
  socket.write(frame(reason, { opcode: 8 }));
  await isRead(socket);
  end(socket);
  await turnsUntil(() => record.closeErrors.length === 1);
  expect(record.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', details: { closeCode: 1009 } }]);
});
