import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Heartbeat } from '../src/channel/heartbeat.js';
import { webSocket } from '../src/index.js';
import { frame } from './frames.js';
import { upgrade } from './raw.js';
import { relayTo } from '@rxmcp/transport-tck/node';
import { recording } from '@rxmcp/transport-tck/recording';
import { pass, stand, turnsUntil, virtualTime } from './stand.js';

describe('row 56: a client that sends nothing', () => {
  test('is closed with 1008 after 10 s', async () => {
    virtualTime();
    const { url, connection } = await stand();
    const { closeCode } = await upgrade(url);
    const { record } = await connection();
    await pass(9_999, 1_111);
    expect(record.closeErrors).toEqual([]);
    await pass(1);
    expect(record.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', details: { closeCode: 1008 } }]);
    await pass(2_000);
    expect(await closeCode()).toBe(1008);
  });

  test('may be silent once it has spoken', async () => {
    virtualTime();
    const { url, connection } = await stand({ heartbeatIntervalMs: 60_000 });
    const { socket } = await upgrade(url);
    socket.write(frame('{"jsonrpc":"2.0","method":"hello"}'));
    const { record } = await connection();
    await turnsUntil(() => record.messages.length === 1);
    await pass(50_000, 5_000);
    expect(record.closeErrors).toEqual([]);
  });

  test.each([Infinity, 2 ** 31])(
    'may be silent for long where it has %s ms',
    async (firstMessageTimeoutMs) => {
      virtualTime();
      const { url, connection } = await stand({ heartbeatIntervalMs: 60_000, firstMessageTimeoutMs });
      await upgrade(url);
      const { record } = await connection();
      await pass(50_000, 5_000);
      expect(record.closeErrors).toEqual([]);
    },
  );
});

describe('fault 7: a connection that is open to one side only', () => {
  test('is closed by both within 45 s', async () => {
    virtualTime();
    const { url, connection } = await stand();
    const address = new URL(url);
    const relay = await relayTo({ port: Number(address.port) });
    onTestFinished(() => relay.close());
    address.port = String(relay.port);
    const client = await webSocket(address.href).dial();
    const near = recording();
    client.start(near);
    await client.send({ jsonrpc: '2.0', method: 'hello' });
    const { record: far } = await connection();
    await turnsUntil(() => far.messages.length === 1);
    await pass(60_000);
    expect([near.closeErrors, far.closeErrors]).toEqual([[], []]);
    relay.disturb({ kind: 'hold' });
    await pass(29_000);
    expect([near.closeErrors, far.closeErrors]).toEqual([[], []]);
    await pass(16_000);
    expect([near.closeErrors, far.closeErrors]).toMatchObject([
      [{ code: 'CONNECTION_LOST' }],
      [{ code: 'CONNECTION_LOST' }],
    ]);
  });
});

describe('a large message that comes slowly', () => {
  test.each([
    ['in one frame', (bytes: Buffer) => bytes],
    ['without end', (bytes: Buffer) => bytes.subarray(0, -1)],
  ])('%s shows that its sender lives, also without a response to a ping', async (_, sent) => {
    virtualTime();
    const { url, connection } = await stand({ heartbeatIntervalMs: 100 });
    const { socket } = await upgrade(url);
    socket.setNoDelay(true);
    const { record } = await connection();
    const bytes = frame(`{"jsonrpc":"2.0","method":"${'x'.repeat(100_000)}"}`);
    const arrives = sent(bytes);
    for (let at = 0; at < arrives.length; at += 1_000) {
      socket.write(arrives.subarray(at, at + 1_000));
      await pass(20);
    }
    if (arrives === bytes) await turnsUntil(() => record.messages.length === 1);
    expect(record.closeErrors).toEqual([]);
    // Then it is as silent as any other.
    await pass(400, 100);
    expect(record.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST' }]);
  });
});

describe('fault 23: a process that stood still', () => {
  /** A heartbeat whose clock is this test's: standing still moves it without any timer. */
  function standing() {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => void vi.restoreAllMocks());
    const lost = vi.fn();
    const ping = vi.fn();
    const heartbeat = new Heartbeat({ intervalMs: 15_000, ping, isExcused: () => false, lost });
    heartbeat.start();
    return {
      heartbeat,
      lost,
      ping,
      /** A beat that comes so late, and the turn after it. */
      async beat(lateMs = 0) {
        now += 15_000 + lateMs;
        await vi.advanceTimersToNextTimerAsync();
        await new Promise((resolve) => setImmediate(resolve));
        now -= lateMs;
      },
    };
  }

  test('two pings without a response are a loss', async () => {
    const { beat, lost, ping } = standing();
    await beat();
    await beat();
    expect([ping.mock.calls.length, lost.mock.calls.length]).toEqual([2, 0]);
    await beat();
    expect(lost).toHaveBeenCalledOnce();
  });

  test('one is not enough', async () => {
    const { heartbeat, beat, lost } = standing();
    for (let round = 0; round < 10; round += 1) {
      await beat();
      await beat();
      heartbeat.received();
    }
    expect(lost).not.toHaveBeenCalled();
  });

  test.each([5_000, 30_000])(
    'a beat that is %i ms late counts nothing, and counting starts anew',
    async (lateMs) => {
      const { beat, lost } = standing();
      await beat();
      await beat();
      await beat(lateMs);
      await beat();
      expect(lost).not.toHaveBeenCalled();
      await beat();
      expect(lost).toHaveBeenCalledOnce();
    },
  );

  test('buffered data is read first', async () => {
    const { heartbeat, beat, lost } = standing();
    await beat();
    await beat();
    // The response is read in the turn after the beat.
    setImmediate(() => heartbeat.received());
    await beat();
    expect(lost).not.toHaveBeenCalled();
  });

  test('a connection whose process was busy lives on', async () => {
    const { url, connection } = await stand({ heartbeatIntervalMs: 15_000 });
    virtualTime();
    let busyMs = 0;
    const virtualNow = performance.now.bind(performance);
    const now = vi.spyOn(performance, 'now').mockImplementation(() => virtualNow() + busyMs);
    onTestFinished(() => now.mockRestore());
    const client = await webSocket(url, { heartbeatIntervalMs: 15_000 }).dial();
    const near = recording();
    client.start(near);
    await client.send({ jsonrpc: '2.0', method: 'hello' });
    const { record: far } = await connection();
    await turnsUntil(() => far.messages.length === 1);
    // Each beat of both sides comes late, and nothing is read between one and the next.
    for (let beat = 0; beat < 6; beat += 1) {
      busyMs += 60_000;
      vi.advanceTimersByTime(15_000);
    }
    await pass(15_000);
    expect([near.closeErrors, far.closeErrors]).toEqual([[], []]);
  });
});
