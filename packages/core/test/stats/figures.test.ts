import { MemoryBudget } from '@rxmcp/transport';
import { firstValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alert, MethodStats, Server, ServerStats } from '../../src/index.js';
import { meter, offerMethod, once, RpcError } from '../../src/index.js';
import { defineOffer } from '../../src/internal.js';
import { eras, pair } from '../interceptors/pair.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';

const figures = (server: Server): Promise<ServerStats> => firstValueFrom(server.stats$);
const of = (stats: { methods: readonly MethodStats[] }, name: string) =>
  stats.methods.find(({ method }) => method === name);
const echo = offerMethod('x/echo', {}, ({ text }) => ({ text }));
const fails = offerMethod('x/fails', {}, ({ code }) => {
  throw new RpcError(code as number, 'no');
});
const said = offerMethod('x/said', {}, () => ({ isError: true, content: [] }));
const held = offerMethod('x/held', {}, () => new Promise<Record<string, unknown>>(() => undefined));
const slowly = offerMethod(
  'x/slowly',
  {},
  ({ ms }) => new Promise<Record<string, unknown>>((done) => void setTimeout(() => done({}), ms as number)),
);
const offers = [echo, fails, said, held, slowly];
const logLevel = 'io.modelcontextprotocol/logLevel';
const request = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: modernMeta() },
});

describe.each(eras)('%s: the figures of a remote', (_era, version) => {
  it('report calls, their outcomes, and their sizes', async () => {
    const { remote } = await pair(version, { offers }, { stats: meter() });
    for (const text of ['a', 'b']) await once(remote.request('x/echo', { text }));
    for (const code of [5, 5, 6]) await once(remote.request('x/fails', { code })).catch(() => undefined);
    await once(remote.request('x/said'));
    const leave = remote.request('x/held').subscribe();
    await turn();
    expect(of(remote.stats(), 'x/held')).toMatchObject({ calls: 1, inFlight: 1, cancelled: 0 });
    expect(remote.stats().inFlight).toBe(1);
    leave.unsubscribe();
    const stats = remote.stats();
    expect(stats.enabled).toBe(true);
    expect(of(stats, 'x/held')).toMatchObject({ calls: 1, inFlight: 0, cancelled: 1, latency: { count: 0 } });
    expect(of(stats, 'x/echo')).toMatchObject({ calls: 2, inFlight: 0, errors: {}, latency: { count: 2 } });
    expect(of(stats, 'x/echo')?.paramsBytes).toBeGreaterThanOrEqual(2 * '{"text":"a"}'.length);
    expect(of(stats, 'x/echo')?.resultBytes).toBeGreaterThanOrEqual(2 * '{"text":"a"}'.length);
    expect(of(stats, 'x/fails')).toMatchObject({ calls: 3, errors: { 5: 2, 6: 1 }, latency: { count: 3 } });
    expect(of(stats, 'x/said')).toMatchObject({ errors: { isError: 1 } });
    expect([stats.inFlight, stats.longestRunningMs]).toEqual([0, 0]);
  });

  it('are counted at lookup without a subscriber', async () => {
    const { remote } = await pair(version, { offers });
    remote.request('x/held').subscribe({ error: () => undefined });
    await turn();
    expect(remote.stats()).toMatchObject({ enabled: false, methods: [], inFlight: 1 });
    expect(remote.health()).toEqual({ healthy: true });
    await remote.close();
    expect(remote.health()).toEqual({ healthy: false, reason: 'the remote is closed' });
    expect(remote.stats().inFlight).toBe(0);
  });
});

describe('the figures of a server', () => {
  it('report who waits, what runs, and all unknown methods under one name', async () => {
    const client = rawClient(offers, {
      stats: meter(),
      limits: { maxConcurrentRequests: 2, maxQueuedRequests: 1 },
    });
    for (const id of [1, 2, 3, 4]) client.put(request(id, 'x/held'));
    for (let n = 0; n < 50; n += 1) client.put(request(`n${n}`, `x/none-${n}`));
    client.put({ ...request('bad', 'x/echo'), params: {} });
    await turn();
    const stats = await figures(client.server);
    expect(stats).toMatchObject({ connections: 1, inFlight: 3, queued: 1, dropped: { requests: 1 } });
    expect(stats.methods.map(({ method }) => method).sort()).toEqual(['(unknown)', 'x/echo', 'x/held']);
    expect(of(stats, 'x/held')).toMatchObject({ calls: 4, inFlight: 3, errors: { '-31001': 1 } });
    expect(of(stats, '(unknown)')).toMatchObject({ calls: 50, errors: { '-32601': 50 } });
    expect(of(stats, 'x/echo')).toMatchObject({ calls: 1, errors: { '-32602': 1 } });
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    client.end();
    await turn();
    const after = await figures(client.server);
    expect(after).toMatchObject({ connections: 0, inFlight: 0, queued: 0 });
    expect(of(after, 'x/held')).toMatchObject({ inFlight: 0, cancelled: 3 });
  });

  it('count custom error codes up to a bound', async () => {
    const client = rawClient(offers, { stats: meter() });
    for (let code = 1; code <= 100; code += 1) client.put(request(code, 'x/fails', { code }));
    await turn();
    const { errors = {} } = of(await figures(client.server), 'x/fails') ?? {};
    expect(Object.keys(errors)).toHaveLength(33);
    expect(errors['other']).toBe(68);
  });

  it('count dropped messages while a peer does not read', async () => {
    let log: (n: number) => void = () => undefined;
    const talks = offerMethod('x/talks', {}, (_params, ctx) => {
      log = (n) => {
        if (n < 10) ctx.progress(n + 1);
        ctx.log('info', n);
      };
      return new Promise<Record<string, unknown>>(() => undefined);
    });
    const logging = defineOffer({ name: 'logging', side: 'server', capabilities: { logging: {} } });
    const client = rawClient([talks, logging], { stats: meter() });
    const { params, ...rest } = request(1, 'x/talks');
    client.put({
      ...rest,
      params: { ...params, _meta: { ...params._meta, progressToken: 1, [logLevel]: 'info' } },
    });
    await client.take();
    client.stall();
    for (let n = 0; n < 70; n += 1) {
      log(n);
      await turn(1);
    }
    // One progress was sent; one and 64 records wait.
    const dropped = { requests: 0, progress: 8, logs: 6, notifications: 0 };
    expect((await figures(client.server)).dropped).toEqual(dropped);
    client.release();
  });
});

describe('a second at a time', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('stats$ emits the figures again, and leaves no timer', async () => {
    const { server, put } = rawClient(offers);
    const seen: number[] = [];
    const subscription = server.stats$.subscribe(({ inFlight }) => seen.push(inFlight));
    put(request(1, 'x/held'));
    await vi.advanceTimersByTimeAsync(2_500);
    expect(seen).toEqual([0, 1, 1]);
    subscription.unsubscribe();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a slow call is reported once, while it runs or at its end, with its caller', async () => {
    const client = rawClient(offers, { stats: meter({ slowCallMs: 700 }) });
    const alerts: Alert[] = [];
    client.server.alerts$.subscribe((alert) => alerts.push(alert));
    client.putOn(request(1, 'x/held'), { principal: 'ada' });
    client.put(request(2, 'x/slowly', { ms: 800 }));
    client.put(request(3, 'x/slowly', { ms: 600 }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(alerts).toEqual([
      { type: 'slow-call', method: 'x/slowly', runningMs: 800 },
      { type: 'slow-call', method: 'x/held', runningMs: 1_000, principal: 'ada' },
    ]);
    expect((await firstValueFrom(client.server.stats$)).longestRunningMs).toBe(5_000);
    client.end();
    await turn();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('by default a call is slow from 5 s on; all that are slow are reported', async () => {
    const client = rawClient(offers, { stats: meter() });
    const alerts: Alert[] = [];
    client.server.alerts$.subscribe((alert) => alerts.push(alert));
    client.put(request(1, 'x/slowly', { ms: 4_999 }));
    client.put(request(2, 'x/slowly', { ms: 5_000 }));
    await vi.advanceTimersByTimeAsync(500);
    for (const id of [3, 4]) client.put(request(id, 'x/held'));
    await vi.advanceTimersByTimeAsync(5_500);
    expect(alerts).toEqual([
      { type: 'slow-call', method: 'x/slowly', runningMs: 5_000 },
      { type: 'slow-call', method: 'x/held', runningMs: 5_500 },
      { type: 'slow-call', method: 'x/held', runningMs: 5_500 },
    ]);
    client.end();
    await turn();
    expect(await figures(client.server)).toMatchObject({ longestRunningMs: 0, eventLoopDelayMs: 0 });
  });

  it('memory of which more than 80 % are held is reported once until it is less', async () => {
    const memory = new MemoryBudget({ maxBytes: 100, maxShare: 1 });
    const client = rawClient(offers, { stats: meter(), memory });
    const alerts: Alert[] = [];
    client.server.alerts$.subscribe((alert) => alerts.push(alert));
    const after = async (bytes: number): Promise<void> => {
      if (bytes > 0) memory.tryCharge('address 1', bytes);
      else memory.release('address 1', -bytes);
      await vi.advanceTimersByTimeAsync(2_000);
    };
    await after(80);
    expect(alerts).toEqual([]);
    await after(1);
    await after(1);
    const pressed = { type: 'memory-pressure', maxBytes: 100 };
    expect(alerts).toEqual([
      { ...pressed, heldBytes: 81, largest: [{ holder: 'address 1', heldBytes: 81 }] },
    ]);
    await after(-10);
    await after(20);
    expect(alerts.slice(1)).toMatchObject([{ ...pressed, heldBytes: 92 }]);
  });

  it.each([
    [60, []],
    [61, [{ type: 'unusual-rate', metric: 'calls', perSecond: 61, usualPerSecond: 10 }]],
  ])('by default %d calls a second after 10 a second are reported as %j', async (calls, expected) => {
    const client = rawClient(offers, { stats: meter() });
    const alerts: Alert[] = [];
    client.server.alerts$.subscribe((alert) => alerts.push(alert));
    for (let second = 0; second <= 30; second += 1) {
      const count = second < 30 ? 10 : calls;
      for (let n = 0; n < count; n += 1) client.put(request(`${second} ${n}`, 'x/echo'));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(alerts).toEqual(expected);
  });

  it('an unusual rate is reported once until it is usual again', async () => {
    const client = rawClient(offers, { stats: meter({ unusualRateMinDifference: 5 }) });
    const alerts: Alert[] = [];
    client.server.alerts$.subscribe((alert) => alerts.push(alert));
    let id = 0;
    const each = async (seconds: number, calls: number, method = 'x/echo', params = {}): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        for (let n = 0; n < calls; n += 1) client.put(request((id += 1), method, params));
        await vi.advanceTimersByTimeAsync(1_000);
      }
    };
    await each(40, 10);
    expect(alerts).toEqual([]);
    await each(3, 100);
    const rate = { type: 'unusual-rate', metric: 'calls' };
    expect(alerts).toEqual([{ ...rate, perSecond: 100, usualPerSecond: 10 }]);
    await each(20, 10);
    await each(2, 0);
    expect(alerts.slice(1)).toMatchObject([{ ...rate, perSecond: 0 }]);
    await each(20, 10);
    await each(1, 10, 'x/fails', { code: 5 });
    expect(alerts.slice(2)).toMatchObject([{ type: 'unusual-rate', metric: 'errors', perSecond: 10 }]);
  });
});

describe('the health of a server', () => {
  it('reports the reason: the loop was held up, or it drains', async () => {
    vi.useFakeTimers();
    const client = rawClient(offers, { stats: meter() });
    expect(client.server.health()).toEqual({ healthy: true });
    await vi.advanceTimersByTimeAsync(1_500);
    // Nothing runs meanwhile: as if the loop was busy.
    const busy = performance.now() + 3_000;
    vi.spyOn(performance, 'now').mockReturnValue(busy);
    vi.advanceTimersToNextTimer();
    vi.restoreAllMocks();
    const ill = client.server.health();
    expect(ill).toMatchObject({ healthy: false });
    expect(ill.healthy ? '' : ill.reason).toMatch(/^the event loop was held up for \d+ ms$/);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(client.server.health()).toMatchObject({ healthy: false });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(client.server.health()).toEqual({ healthy: true });
    vi.useRealTimers();
    client.put(request(1, 'x/held'));
    await turn();
    const drained = client.served.drain({ timeoutMs: 10 });
    expect(client.server.health()).toEqual({ healthy: false, reason: 'the server is draining' });
    await drained;
  });

  it('does not degrade for one peer that asks for too much, but for a crowd that waits', async () => {
    const limits = { maxConcurrentRequests: 1, maxQueuedRequests: 4 };
    const alone = rawClient(offers, { limits });
    const crowd = rawClient(offers, { limits, traits: { lanes: 'per-request', idScope: 'lane' } });
    for (let n = 0; n < 5; n += 1) {
      alone.put(request(n, 'x/held'));
      crowd.putOn(request(n, 'x/held'), { lane: {} });
    }
    await turn();
    expect(alone.server.health()).toEqual({ healthy: true });
    expect(crowd.server.health()).toEqual({ healthy: false, reason: '4 requests wait for a place' });
  });
});

it.each([{ slowCallMs: -1 }, { unusualRateFactor: 0 }, { unusualRateMinDifference: NaN }])(
  '%j is refused',
  (options) => {
    expect(() => meter(options)).toThrow(TypeError);
  },
);
