import { finalize, NEVER, of, Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResponseEvent } from '../../src/index.js';
import { offerMethod, once } from '../../src/index.js';
import {
  concurrency,
  type ConcurrencyOptions,
  paramsBytes,
  rateLimit,
} from '../../src/interceptors/index.js';
import { drive, result } from './driven.js';
import { eras, pair } from './pair.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const by = (principal: string | undefined) =>
  ({ side: 'server', caller: { principal, capabilities: {} } }) as const;

/** Calls of several principals at one limit, with the names of those that have begun, and what ends each of these. */
function callers(options: ConcurrencyOptions) {
  const gate = concurrency(options);
  const begun: string[] = [];
  const ends: Subject<ResponseEvent>[] = [];
  const call = (principal: string | undefined, name: string) =>
    drive(
      gate,
      () => {
        begun.push(name);
        const end = new Subject<ResponseEvent>();
        ends.push(end);
        return end;
      },
      by(principal),
    );
  return { call, begun, ends };
}

describe('concurrency', () => {
  it('runs a limited number, queues a limited number in order, and refuses the rest', () => {
    const gate = concurrency({ maxConcurrentRequests: 2, maxQueuedRequests: 2 });
    const begun: number[] = [];
    const ends = Array.from({ length: 5 }, () => new Subject<ResponseEvent>());
    const runs = ends.map((end, n) => drive(gate, () => (begun.push(n), end), { side: 'server' }));
    expect(begun).toEqual([0, 1]);
    expect(runs[4]?.seen).toEqual([expect.objectContaining({ code: -31001, retryable: true })]);
    ends[1]?.next(result());
    ends[1]?.complete();
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.error(new Error('x'));
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('callers that wait take turns, so that the many requests of one do not delay another one', () => {
    const { call, begun, ends } = callers({ maxConcurrentRequests: 1 });
    for (const name of ['m0', 'm1', 'm2', 'm3', 'm4']) call('mallory', name);
    const cancelled = call('ada', 'a0');
    call('ada', 'a1');
    call('ada', 'a2');
    call(undefined, 'x0');
    cancelled.subscription.unsubscribe();
    for (let at = 0; at < ends.length; at += 1) ends[at]?.complete();
    expect(begun).toEqual(['m0', 'm1', 'a1', 'x0', 'm2', 'a2', 'm3', 'm4']);
  });

  it('a full queue has room for the requests of a caller with fewer in it', () => {
    const { call, begun, ends } = callers({ maxConcurrentRequests: 1, maxQueuedRequests: 4 });
    const names = ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'a1', 'a2', 'a3'];
    const calls = names.map((name) => ({ name, ...call(name.charAt(0), name) }));
    const rejected = calls.filter(({ seen }) => seen.length > 0);
    expect(rejected.map(({ name }) => name)).toEqual(['m3', 'm4', 'm5', 'a3']);
    for (const { seen } of rejected) expect(seen).toMatchObject([{ code: -31001, retryable: true }]);
    for (let at = 0; at < ends.length; at += 1) ends[at]?.complete();
    expect(begun).toEqual(['m0', 'm1', 'a1', 'm2', 'a2']);
  });

  it('a cancelled request frees its slot, running or waiting', () => {
    const gate = concurrency({ maxConcurrentRequests: 1, maxQueuedRequests: 1 });
    let left = 0;
    const begun: string[] = [];
    const hang = (name: string) =>
      drive(gate, () => (begun.push(name), NEVER.pipe(finalize(() => void (left += 1)))));
    const [first, second] = [hang('a'), hang('b')];
    second.subscription.unsubscribe();
    const third = hang('c');
    first.subscription.unsubscribe();
    expect([begun, left]).toEqual([['a', 'c'], 1]);
    third.subscription.unsubscribe();
    expect(drive(gate, () => of(result({ a: 1 }))).seen).toEqual([{ a: 1 }, 'complete']);
  });

  it('keys do not wait for each other; a client is refused with its own error', () => {
    const gate = concurrency({ maxConcurrentRequests: 1, maxQueuedRequests: 0, per: 'method' });
    drive(gate, () => NEVER, { method: 'a' });
    expect(drive(gate, () => of(result()), { method: 'b' }).seen).toEqual([{}, 'complete']);
    expect(drive(gate, () => of(result()), { method: 'a' }).seen).toEqual([
      expect.objectContaining({ code: 'TOO_MANY_CALLS', retryable: true, outcome: 'not-sent' }),
    ]);
  });

  it('a thousand queued requests that end at once need no deep stack', () => {
    const gate = concurrency({ maxConcurrentRequests: 1, maxQueuedRequests: 100_000 });
    const first = new Subject<ResponseEvent>();
    drive(gate, () => first);
    const rest = Array.from({ length: 20_000 }, () => drive(gate, () => of(result())));
    first.complete();
    expect(rest.every(({ seen }) => seen.length === 2)).toBe(true);
  });
});

describe('weights', () => {
  const weight = ({ params }: { readonly params: object }) => (params as { weight: number }).weight;
  const of5 = { maxConcurrentRequests: 5, maxQueuedRequests: 2, weight };

  it('limit what runs at a time by its sum, in order', () => {
    const gate = concurrency(of5);
    const begun: number[] = [];
    const run = (own: number) => drive(gate, () => (begun.push(own), NEVER), { params: { weight: own } });
    const [four] = [run(4), run(1), run(2), run(3)];
    expect(begun).toEqual([4, 1]);
    expect(run(1).seen).toEqual([expect.objectContaining({ code: 'TOO_MANY_CALLS' })]);
    four.subscription.unsubscribe();
    expect(begun).toEqual([4, 1, 2, 3]);
  });

  it('above the limit let a request begin with the others, and then none until it has ended', () => {
    const gate = concurrency(of5);
    const begun: number[] = [];
    const run = (own: number) => drive(gate, () => (begun.push(own), NEVER), { params: { weight: own } });
    const [one, heavy] = [run(1), run(9), run(2)];
    expect(begun).toEqual([1, 9]);
    one.subscription.unsubscribe();
    expect(begun).toEqual([1, 9]);
    heavy.subscription.unsubscribe();
    expect(begun).toEqual([1, 9, 2]);
  });

  it('limit what begins in a window by its sum', () => {
    const limit = rateLimit({ limit: 100, windowMs: 1_000, weight });
    const go = (own: number) => drive(limit, () => of(result()), { params: { weight: own } }).seen[0];
    expect([go(60), go(40)]).toEqual([{}, {}]);
    expect(go(50)).toMatchObject({ data: { retryAfterMs: 500 } });
    vi.advanceTimersByTime(1_000);
    // More than a window allows: it begins after a pause, and the next one waits for it.
    expect(go(300)).toEqual({});
    expect(go(1)).toMatchObject({ data: { retryAfterMs: 2_010 } });
  });

  it.each([NaN, -1, '1' as never])('of %s are a TypeError', (wrong) => {
    const message = `weight must be a number of at least 0, not ${String(wrong)}`;
    expect(() => drive(rateLimit({ limit: 1, weight: () => wrong }), () => of(result()))).toThrow(message);
    expect(drive(concurrency({ ...of5, weight: () => wrong }), () => of(result())).seen).toEqual([
      new TypeError(message),
    ]);
  });

  it('count the bytes of parameters', () => {
    const few = paramsBytes({ params: { a: 1 } });
    expect(paramsBytes({ params: { a: 'x'.repeat(1_000) } })).toBe(few + 1_000);
    expect(paramsBytes({ params: { a: Array(1_000).fill(1) } })).toBeGreaterThan(few + 10_000);
  });
});

describe('rateLimit', () => {
  it('lets a burst through and then the rate, and says when to retry', () => {
    const limit = rateLimit({ limit: 10, windowMs: 1_000, burst: 3 });
    const go = () => drive(limit, () => of(result()), by('ada')).seen[0];
    expect([go(), go(), go()]).toEqual([{}, {}, {}]);
    expect(go()).toMatchObject({ code: -31001, data: { retryable: true, retryAfterMs: 100 } });
    vi.advanceTimersByTime(60);
    expect(go()).toMatchObject({ data: { retryAfterMs: 40 } });
    vi.advanceTimersByTime(40);
    expect(go()).toEqual({});
    expect(go()).toMatchObject({ code: -31001 });
    vi.advanceTimersByTime(1_000_000);
    expect([go(), go(), go(), go()]).toEqual([{}, {}, {}, expect.objectContaining({ code: -31001 })]);
  });

  it('counts principals separately, the anonymous together, or by method', () => {
    const limit = rateLimit({ limit: 1 });
    const go = (principal: string | undefined) => drive(limit, () => of(result()), by(principal)).seen[0];
    expect([go('ada'), go('bob'), go(undefined)]).toEqual([{}, {}, {}]);
    expect(go(undefined)).toMatchObject({ code: -31001 });
    const methods = rateLimit({ limit: 1, per: 'method' });
    const call = (method: string) => drive(methods, () => of(result()), { method }).seen[0];
    expect([call('a'), call('b')]).toEqual([{}, {}]);
    expect(call('a')).toMatchObject({ code: 'TOO_MANY_CALLS', data: { retryAfterMs: 1_000 } });
  });

  it('remembers a bounded number of keys, the most recent ones', () => {
    const limit = rateLimit({ limit: 1, windowMs: 1e9, maxKeys: 2 });
    const go = (principal: string) => drive(limit, () => of(result()), by(principal)).seen[0];
    const refused: unknown = expect.objectContaining({ code: -31001 });
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(go)).toEqual([{}, {}, refused, {}, refused, {}]);
  });
});

it.each(eras)('%s: a refusal is a refusal over the wire', async (_era, version) => {
  vi.useRealTimers();
  const echo = offerMethod('x/echo', {}, () => ({ ok: true }));
  const interceptors = [rateLimit({ limit: 1, windowMs: 60_000 })];
  const { remote } = await pair(version, { offers: [echo], interceptors }, {}, 'ada');
  expect(await once(remote.request('x/echo'))).toMatchObject({ ok: true });
  const error: unknown = await once(remote.request('x/echo')).catch((e: unknown) => e);
  expect(error).toMatchObject({ code: -31001, retryable: true, data: { retryable: true } });
});
