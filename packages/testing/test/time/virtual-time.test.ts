import { interval, take, toArray } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { VirtualTime } from '../../src/index.js';
import { virtualTime } from '../../src/index.js';

let time: VirtualTime | undefined;
const opened = (...options: Parameters<typeof virtualTime>): VirtualTime => (time = virtualTime(...options));

afterEach(() => {
  time?.close();
  vi.useRealTimers();
});

describe('virtual time', () => {
  it('advances only on request, and runs what is due in order', async () => {
    const { advance } = opened();
    const seen: string[] = [];
    const say = (word: string) => (): void => void seen.push(`${performance.now()} ${word}`);
    setTimeout(say('late'), 20);
    setTimeout(say('first'), 10);
    setTimeout(say('second'), 10);
    const each = setInterval(say('each'), 10);
    const never = setTimeout(say('never'), 15);
    setTimeout(() => clearTimeout(never), 5);
    await advance(9);
    expect(seen).toEqual([]);
    await advance(21);
    clearInterval(each);
    await advance(1_000);
    expect(seen).toEqual(['10 first', '10 second', '10 each', '20 late', '20 each', '30 each']);
    expect([time?.nowMs, time?.pendingTimers]).toEqual([1_030, 0]);
  });

  it('lets everything follow from one timer before the next', async () => {
    const { advance } = opened();
    const seen: string[] = [];
    const chain = async (word: string): Promise<void> => {
      for (let step = 0; step < 50; step += 1) await undefined;
      await new Promise<void>((resolve) => process.nextTick(resolve));
      seen.push(word);
    };
    setTimeout(() => void chain('a').then(() => queueMicrotask(() => seen.push('after a'))), 5);
    setTimeout(() => void chain('b'), 5);
    await advance(5);
    expect(seen).toEqual(['a', 'after a', 'b']);
  });

  it('drives Date, AbortSignal.timeout, RxJS and random pauses', async () => {
    const runs: unknown[] = [];
    for (let run = 0; run < 2; run += 1) {
      using clock = virtualTime({ startAt: new Date('2030-02-03T04:05:06Z'), seed: 7 });
      const signal = AbortSignal.timeout(40);
      const values = await clock.run(
        new Promise((resolve) => interval(10).pipe(take(4), toArray()).subscribe(resolve)),
      );
      await clock.settle();
      runs.push([values, signal.aborted, new Date().toISOString(), Date.now(), Math.random()]);
      expect(new Date() instanceof Date).toBe(true);
    }
    expect(runs[0]).toEqual(runs[1]);
    const [values, aborted, date] = runs[0] as unknown[];
    expect([values, aborted, date]).toEqual([[0, 1, 2, 3], true, '2030-02-03T04:05:06.040Z']);
  });

  it('waits for the cryptography of the platform without moving', async () => {
    const clock = opened();
    let digest: ArrayBuffer | undefined;
    setTimeout(() => {
      void (async () => {
        for (let round = 0; round < 5; round += 1)
          digest = await crypto.subtle.digest('SHA-256', new Uint8Array(9));
        digest = await crypto.subtle.digest('SHA-1', digest as ArrayBuffer);
      })();
    }, 10);
    setTimeout(() => expect(digest?.byteLength).toBe(20), 11);
    await clock.advance(12);
    expect(digest?.byteLength).toBe(20);
  });

  it('reports a promise that no timer settles, a cycle, and a timer that throws', async () => {
    const { run, advance } = opened();
    await expect(run(new Promise(() => undefined))).rejects.toThrow('no timer is left at 0 ms');
    setTimeout(() => {
      throw new TypeError('mine');
    }, 3);
    await expect(advance(5)).rejects.toThrow('mine');
    const again = (): void => void setTimeout(again, 0);
    again();
    await expect(advance(1)).rejects.toThrow('timers start one another without end at 3 ms');
  });

  it('uses no real timer, and restores everything', async () => {
    const names = [
      'setTimeout',
      'setInterval',
      'setImmediate',
      'clearTimeout',
      'queueMicrotask',
      'Date',
    ] as const;
    const before = names.map((name) => globalThis[name]);
    const real = vi.spyOn(globalThis, 'setTimeout');
    const spied = globalThis.setTimeout;
    const now = performance.now();
    const clock = opened();
    setTimeout(() => undefined, 10);
    await clock.advance(20);
    clock.close();
    clock.close();
    expect(globalThis.setTimeout).toBe(spied);
    expect(real).not.toHaveBeenCalled();
    real.mockRestore();
    expect(names.map((name) => globalThis[name])).toEqual(before);
    expect(performance.now()).toBeGreaterThan(now);
    expect(Object.hasOwn(performance, 'now')).toBe(false);
  });

  it('is open once at a time, also together with the fake timers of a test runner', async () => {
    vi.useFakeTimers();
    const outside = vi.fn();
    setTimeout(outside, 10);
    const clock = opened();
    expect(() => virtualTime()).toThrow(TypeError);
    const inside = vi.fn();
    setTimeout(inside, 5);
    await clock.advance(1_000);
    expect([inside.mock.calls.length, outside.mock.calls.length]).toEqual([1, 0]);
    clock.close();
    await vi.advanceTimersByTimeAsync(10);
    expect(outside).toHaveBeenCalledOnce();
  });
});
