import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { timing } from '../../src/client/time/timing.js';
import { Watchdog } from '../../src/client/time/watchdog.js';
import { dialled, until } from './recording.js';
import { events, scripted } from './scripted.js';

describe('the watchdog', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function watched(): { stream: ReturnType<Watchdog['watch']>; cuts: () => number; dog: Watchdog } {
    let cuts = 0;
    const dog = new Watchdog(timing);
    return { dog, stream: dog.watch(() => (cuts += 1)), cuts: () => cuts };
  }

  function keepAlive(stream: ReturnType<Watchdog['watch']>): void {
    stream.comment();
    stream.alive();
  }

  it('fault 7: cuts a stream after two keep-alives that did not come, within 45 s', async () => {
    const { stream, cuts } = watched();
    for (let index = 0; index < 3; index += 1) {
      await vi.advanceTimersByTimeAsync(15_000);
      keepAlive(stream);
    }
    await vi.advanceTimersByTimeAsync(30_000);
    expect(cuts()).toBe(0);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(cuts()).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fault 7: never cuts a stream of a server that showed no keep-alive', async () => {
    const { stream, cuts } = watched();
    stream.alive();
    // A greeting at once does not count as one.
    keepAlive(stream);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(cuts()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fault 7: waits for servers that send keep-alives rarely, and knows them from their other streams', async () => {
    const { dog, stream, cuts } = watched();
    await vi.advanceTimersByTimeAsync(60_000);
    keepAlive(stream);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(cuts()).toBe(0);
    let others = 0;
    stream.done();
    dog.watch(() => (others += 1));
    await vi.advanceTimersByTimeAsync(145_000);
    expect(others).toBe(0);
    await vi.advanceTimersByTimeAsync(15_000);
    expect([cuts(), others]).toEqual([0, 1]);
  });

  it('fault 23: time in which this process stood still does not count', async () => {
    const { stream, cuts } = watched();
    await vi.advanceTimersByTimeAsync(15_000);
    keepAlive(stream);
    const real = performance.now.bind(performance);
    let stood = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => real() + stood);
    await vi.advanceTimersByTimeAsync(29_000);
    stood = 3_600_000;
    await vi.advanceTimersByTimeAsync(35_000);
    expect(cuts()).toBe(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(cuts()).toBe(1);
    vi.restoreAllMocks();
  });

  it.each([34_000, 47_000])(
    'fault 23: nor where it continues after %d ms, wherever in the pause of two looks',
    async (until) => {
      const { stream, cuts } = watched();
      await vi.advanceTimersByTimeAsync(15_000);
      keepAlive(stream);
      await vi.advanceTimersByTimeAsync(6_000);
      // What was due meanwhile comes at once when it continues.
      const real = performance.now.bind(performance);
      const began = real() - 21_000;
      vi.spyOn(performance, 'now').mockImplementation(() => Math.max(real(), began + until));
      await vi.advanceTimersByTimeAsync(until - 21_000 + 15_000);
      expect(cuts()).toBe(0);
      stream.done();
      vi.restoreAllMocks();
    },
  );

  it('looks about as often as keep-alives come', async () => {
    const start = globalThis.setTimeout;
    let timers = 0;
    globalThis.setTimeout = ((...args: Parameters<typeof start>) => {
      timers += 1;
      return start(...args);
    }) as typeof start;
    const { stream } = watched();
    for (let count = 0; count < 40; count += 1) {
      await vi.advanceTimersByTimeAsync(15_000);
      keepAlive(stream);
    }
    globalThis.setTimeout = start;
    expect(timers).toBeLessThanOrEqual(43);
    stream.done();
  });

  it('fault 22: the wall clock may jump', async () => {
    const { stream, cuts } = watched();
    await vi.advanceTimersByTimeAsync(15_000);
    keepAlive(stream);
    vi.setSystemTime(Date.now() + 7_200_000);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(cuts()).toBe(0);
  });
});

describe('a stream that went silent', () => {
  it('fault 7: is cut, and its request fails', async () => {
    let cut = false;
    const server = await scripted((_seen, response) => {
      response.on('close', () => (cut = true));
      const stream = events(response);
      let comments = 0;
      const interval = setInterval(() => {
        stream.write(': keep-alive\n\n');
        comments += 1;
        if (comments === 5) clearInterval(interval);
      }, 100);
    });
    const client = await dialled(server.url, {}, { minKeepAliveMs: 200, watchIntervalMs: 100 });
    const error = await client.failure(client.ask(1));
    expect(error).toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
    await until(() => cut);
  });
});
