import { describe, expect, test, vi } from 'vitest';
import { chaos, delay, tap, type TapEvent, type Transport, TransportError } from '../../src/index.js';
import { encode } from '@rxmcp/jsonrpc';
import { note, rig, turn } from '../loop.js';

const over = ({ connection }: ReturnType<typeof rig>): Transport => ({
  name: 'rig',
  dial: () => Promise.resolve(connection),
});

describe('tap', () => {
  test('reports everything, and survives its observer', async () => {
    const inner = rig({}, {}, false);
    const events: TapEvent[] = [];
    const transport = tap(over(inner), (event) => {
      events.push(event);
      throw new Error('observer');
    });
    expect(transport.name).toBe('tap(rig)');
    const connection = await transport.dial();
    connection.start(inner.heard);
    void connection.send(note(1));
    inner.sink().text(encode(note(2)));
    inner.sink().fault(new TransportError('UNEXPECTED_OUTPUT', 'x'));
    connection.endLane({});
    await connection.close();
    expect(events.map((event) => event.type)).toEqual(['sent', 'received', 'fault', 'laneEnded', 'closed']);
    expect(inner.sent).toEqual([encode(note(1))]);
    expect(inner.heard.log).toEqual(['received', 'fault', 'closed']);
  });
});

describe('delay', () => {
  test('delays both directions, in order, and a close flushes sent messages', async () => {
    vi.useFakeTimers();
    try {
      const inner = rig({}, {}, false);
      const connection = await delay(over(inner), 10).dial();
      connection.start(inner.heard);
      const sends = [connection.send(note(1)), connection.send(note(2))];
      inner.sink().text(encode(note(3)));
      await vi.advanceTimersByTimeAsync(9);
      expect([inner.sent, inner.heard.messages]).toEqual([[], []]);
      await vi.advanceTimersByTimeAsync(1);
      expect([inner.sent, inner.heard.messages]).toEqual([[1, 2].map((n) => encode(note(n))), [note(3)]]);
      void connection.send(note(4));
      await connection.close();
      await Promise.all(sends);
      expect(inner.sent).toEqual([1, 2, 4].map((n) => encode(note(n))));
      expect(inner.heard.log).toEqual(['received', 'closed']);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('chaos', () => {
  const timesOf = async (seed: number): Promise<string[]> => {
    vi.useFakeTimers({ now: 0 });
    try {
      const inner = rig({}, {}, false);
      const connection = await chaos(over(inner), { seed }).dial();
      const log: string[] = [];
      connection.start({
        ...inner.heard,
        received: (m) => void log.push(`${String(Date.now())} ${JSON.stringify(m)}`),
      });
      for (let n = 0; n < 50; n += 1) {
        inner.sink().text(encode(note(n)));
        await vi.advanceTimersByTimeAsync(1);
      }
      await vi.runAllTimersAsync();
      await connection.close();
      expect(inner.closes).toEqual([1]);
      return log;
    } finally {
      vi.useRealTimers();
    }
  };

  test('bursts and gaps follow the seed; nothing is lost or out of order', async () => {
    const log = await timesOf(1);
    expect(log.map((entry) => JSON.parse(entry.slice(entry.indexOf(' '))).params.n)).toEqual([
      ...Array(50).keys(),
    ]);
    const times = new Set(log.map((entry) => entry.split(' ')[0]));
    expect(times.size).toBeGreaterThan(5);
    expect(times.size).toBeLessThan(45);
    // Message n is put at n ms: none waits longer than 3 ms, and one that long.
    expect(Math.max(...log.map((entry, n) => Number.parseInt(entry, 10) - n))).toBe(3);
    expect(await timesOf(1)).toEqual(log);
  });

  test('each seed has an order of its own, also 0', async () => {
    const logs: string[] = [];
    for (const seed of [0, 1, 2, 3]) logs.push((await timesOf(seed)).join());
    expect(new Set(logs).size).toBe(4);
  });

  test('a cut ends the connection at its n-th message, and refuses the rest', async () => {
    const inner = rig({}, {}, false);
    const connection = await chaos(over(inner), { seed: 3, cutAfterMessages: 3, maxDelayMs: 1 }).dial();
    connection.start(inner.heard);
    const results = await Promise.allSettled([1, 2, 3, 4].map((n) => connection.send(note(n))));
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    await turn();
    expect(inner.heard.ends).toMatchObject([{ code: 'CONNECTION_LOST' }]);
    expect(inner.sent).toHaveLength(2);
    await connection.close();
    expect(inner.heard.log).toEqual(['closed']);
  });
});

test.each([
  ['delay', (inner: Transport) => delay(inner, 10)],
  ['chaos', (inner: Transport) => chaos(inner, { seed: 1 })],
])('%s: a caller that starts a closed connection receives the end', async (_name, wrap) => {
  const inner = rig({}, {}, false);
  const connection = await wrap(over(inner)).dial();
  await connection.close();
  connection.start(inner.heard);
  await turn();
  expect(inner.heard.ends).toEqual([undefined]);
});
