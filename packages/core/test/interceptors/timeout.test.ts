import { concat, finalize, NEVER, of, timer } from 'rxjs';
import { map, mergeMap } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RxmcpError, RpcError } from '../../src/index.js';
import { timeout } from '../../src/interceptors/index.js';
import { drive, result, step } from './driven.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('timeout', () => {
  it('idleTimeoutMs counts from the last progress, totalTimeoutMs from the beginning', async () => {
    const steps = () => timer(80, 80).pipe(map((n) => step(n)));
    const each = drive(timeout({ idleTimeoutMs: 100 }), steps);
    const total = drive(timeout({ idleTimeoutMs: 100, totalTimeoutMs: 200 }), steps);
    await after(199);
    expect(each.seen).toEqual([0, 1]);
    expect(total.seen).toEqual([0, 1]);
    await after(1);
    expect(total.seen.at(-1)).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown', retryable: true });
    await after(10_000);
    expect(each.seen).toHaveLength(127);
    each.subscription.unsubscribe();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('silence after progress is silence', async () => {
    const { seen } = drive(timeout({ idleTimeoutMs: 100 }), () =>
      concat(timer(50).pipe(map(() => step(1))), NEVER),
    );
    await after(149);
    expect(seen).toEqual([1]);
    await after(1);
    expect(seen.at(-1)).toMatchObject({ code: 'TIMEOUT' });
  });

  it('cancels what is late, and reports it with the error of its side', async () => {
    let left = 0;
    const hanging = () => NEVER.pipe(finalize(() => void (left += 1)));
    const client = drive(timeout({ idleTimeoutMs: 10 }), hanging);
    const server = drive(timeout({ totalTimeoutMs: 10 }), hanging, { side: 'server' });
    await after(9);
    expect([client.seen, server.seen, left]).toEqual([[], [], 0]);
    await after(1);
    expect(RxmcpError.is(client.seen[0], 'TIMEOUT')).toBe(true);
    expect(RpcError.is(server.seen[0]) && server.seen[0].code).toBe(-31004);
    expect(left).toBe(2);
  });

  it('has no effect after the result, and leaves no timer', async () => {
    const slow = () => concat(timer(5).pipe(mergeMap(() => of(result({ a: 1 })))), NEVER);
    const { seen, subscription } = drive(timeout({ idleTimeoutMs: 10, totalTimeoutMs: 20 }), slow);
    await after(1_000);
    expect(seen).toEqual([{ a: 1 }]);
    subscription.unsubscribe();
    expect(drive(timeout({ idleTimeoutMs: 10 }), () => of(result())).seen).toEqual([{}, 'complete']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reports an error of a cleanup as a fault, and that the request is late all the same', async () => {
    const fault = vi.fn();
    const broken = () =>
      NEVER.pipe(
        finalize(() => {
          throw new Error('a cleanup');
        }),
      );
    const { seen } = drive(timeout({ totalTimeoutMs: 10 }), broken, { fault });
    await after(10);
    expect(seen).toMatchObject([{ code: 'TIMEOUT' }]);
    expect(fault).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'HANDLER_FAILED' }));
  });

  it('rejects an invalid duration', () => {
    expect(() => timeout({ idleTimeoutMs: -1 })).toThrow(TypeError);
    expect(() => timeout({ totalTimeoutMs: NaN })).toThrow('totalTimeoutMs');
  });

  it('rejects options without a limit', () => {
    const problem = new TypeError('`timeout` needs idleTimeoutMs, totalTimeoutMs or both');
    expect(() => timeout({})).toThrow(problem);
    expect(() => timeout({ idleTimeoutMs: Infinity })).not.toThrow();
  });
});
