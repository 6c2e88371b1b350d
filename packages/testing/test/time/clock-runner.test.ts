import { of, Subject, timer } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import type { VirtualTime } from '../../src/index.js';
import { virtualTime } from '../../src/index.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';

let time: VirtualTime | undefined;
const opened = (): VirtualTime => (time = virtualTime());
const { setTimeout: realTimer } = globalThis;
const realPause = (ms: number): Promise<void> => new Promise((resolve) => realTimer(resolve, ms));

afterEach(() => time?.close());

describe('a run', () => {
  it('rejects with the error of a subscriber, also in the last moment', async () => {
    const { run } = opened();
    const fails = (): void => {
      throw new TypeError('mine');
    };
    const last = new Promise<void>((complete) => {
      timer(10).subscribe({ next: fails, complete });
    });
    await expect(run(last)).rejects.toThrow('mine');
    of(1).subscribe(fails);
    await expect(run(Promise.resolve())).rejects.toThrow('mine');
    expect(time?.nowMs).toBe(10);
  });

  it('ends after all that is due in that moment, and before what is due later', async () => {
    const { run } = opened();
    const seen: string[] = [];
    const over = new Subject<void>();
    setTimeout(() => over.complete(), 10);
    setTimeout(() => setTimeout(() => seen.push('due in that moment'), 0), 10);
    setTimeout(() => seen.push('later'), 11);
    await run(new Promise<void>((complete) => over.subscribe({ complete })));
    expect(seen).toEqual(['due in that moment']);
    expect(time?.pendingTimers).toBe(1);
  });

  if (exhaustive)
    it('ends when a million timers do not bring the end, and lets the platform have its turns till then', async () => {
      const { run } = opened();
      let turns = 0;
      const again = (): unknown => realTimer(() => void ((turns += 1) < 5 && again()), 1);
      again();
      setInterval(function poll() {}, 1_000);
      setTimeout(function muchLater() {}, 2 ** 31 - 1);
      const open = run(new Promise(() => undefined));
      // A timer that the test runner starts meanwhile counts too.
      await expect(open).rejects.toThrow(
        /^1000000 timers ran up to \d{9,10} ms, and the promise is pending; next: poll each 1000 ms, muchLater at 2147483647 ms$/,
      );
      expect(turns).toBe(5);
    });
});

describe('a caller of advance within a timer', () => {
  it('resolves before the clock moves further', async () => {
    const { advance } = opened();
    const seen: unknown[] = [];
    setTimeout(() => {
      void (async () => {
        await advance(50);
        seen.push(['within', time?.nowMs]);
      })();
    }, 10);
    setTimeout(() => seen.push(['late', time?.nowMs]), 500);
    await advance(1_000);
    expect([...seen, time?.nowMs]).toEqual([['within', 60], ['late', 500], 1_000]);
  });

  it('rejects with the error that a timer throws', async () => {
    const { advance, run } = opened();
    setTimeout(() => {
      throw new TypeError('mine');
    }, 3);
    expect(await run(advance(5).catch(String))).toBe('TypeError: mine');
  });
});

describe('a clock that is closed', () => {
  it('runs nothing more, and rejects pending callers', async () => {
    const { advance, run, close } = opened();
    let ticks = 0;
    setInterval(() => (ticks += 1), 1_000);
    const ends = Promise.allSettled([advance(5_000), run(new Promise(() => undefined))]);
    close();
    const closed = { status: 'rejected', reason: new Error('the virtual time was closed at 0 ms') };
    expect(await ends).toEqual([closed, closed]);
    await realPause(20);
    expect(ticks).toBe(0);
    await expect(advance(1_000)).rejects.toThrow('the virtual time was closed');
    expect(ticks).toBe(0);
  });
});

it.each([NaN, Infinity, -Infinity])('no clock advances by %s ms', async (ms) => {
  const { advance } = opened();
  await expect(advance(ms)).rejects.toThrow(TypeError);
  expect([time?.nowMs, Number.isFinite(Date.now())]).toEqual([0, true]);
});

it('many timers at one time are not a cycle, also where a timer starts them', async () => {
  const { advance } = opened();
  let ran = 0;
  const many = (ms: number): void => {
    for (let count = 0; count < 20_000; count += 1) setTimeout(() => (ran += 1), ms);
  };
  many(0);
  many(100);
  setTimeout(() => many(0), 200);
  await advance(200);
  expect(ran).toBe(60_000);
});
