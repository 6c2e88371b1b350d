import { NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/index.js';
import { offerMethod, once } from '../../src/index.js';
import { defineOffer, getRemoteLink } from '../../src/internal.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

const request = (id: unknown, method: string, meta: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { _meta: { ...modernMeta(), ...meta } },
});
const ignored = { error: () => undefined };
const never = offerMethod('x/never', {}, () => NEVER);

/** A method whose context the test holds. */
function held() {
  const holder: { ctx: Context | undefined; finish: (value: object) => void } = {
    ctx: undefined,
    finish: () => undefined,
  };
  const offer = offerMethod('x/held', {}, (_params, ctx) => {
    holder.ctx = ctx;
    return new Promise((resolve) => (holder.finish = resolve as never));
  });
  const logging = defineOffer({ name: 'logging', side: 'server', capabilities: { logging: {} } });
  return { holder, offers: [offer, logging] };
}

describe('admission', () => {
  it('refuses the excess with -31001 and when to retry, and accepts the next when a slot is free', async () => {
    const client = rawClient([never], { limits: { maxConcurrentRequests: 1, maxQueuedRequests: 1 } });
    for (const id of [1, 2, 3]) client.put(request(id, 'x/never'));
    const data = { retryable: true, retryAfterMs: expect.any(Number) as number };
    expect(await client.take()).toMatchObject([{ id: 3, error: { code: -31001, data } }]);
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    client.put(request(4, 'x/never'));
    expect(await client.take()).toEqual([]);
  });

  it('runs 256 requests of a connection at a time, queues 1,024 and refuses the next, by default', async () => {
    let running = 0;
    const counted = offerMethod('x/counted', {}, () => {
      running += 1;
      return NEVER;
    });
    const client = rawClient([counted]);
    const put = (from: number, to: number): void => {
      for (let id = from; id <= to; id += 1) client.put(request(id, 'x/counted'));
    };
    put(1, 256);
    await turn();
    expect(running).toBe(256);
    put(257, 1_280);
    expect(await client.take()).toEqual([]);
    expect(running).toBe(256);
    put(1_281, 1_281);
    expect(await client.take()).toMatchObject([{ id: 1_281, error: { code: -31001 } }]);
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await turn();
    expect(running).toBe(257);
  });

  it('a handler that throws while a slot is filled takes no slot away', async () => {
    const bad = offerMethod('x/bad', {}, () => {
      throw Object.create(null);
    });
    const echo = offerMethod('x/echo', {}, () => ({}));
    const client = rawClient([never, bad, echo], {
      limits: { maxConcurrentRequests: 1, maxQueuedRequests: 10 },
    });
    client.put(request(1, 'x/never'));
    client.put(request(2, 'x/bad'));
    client.put(request(3, 'x/echo'));
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect((await client.take()).map((f) => f.id)).toEqual([2, 3]);
  });

  it('ten thousand queued requests end without a deep stack', async () => {
    const echo = offerMethod('x/echo', {}, () => ({}));
    const client = rawClient([never, echo], {
      limits: { maxConcurrentRequests: 1, maxQueuedRequests: 10_000 },
    });
    client.put(request('first', 'x/never'));
    for (let id = 0; id < 10_000; id += 1) client.put(request(id, 'x/echo'));
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'first' } });
    expect(await client.take()).toHaveLength(10_000);
  });

  it('a caller over its own limit fails at once, not sent and retryable', async () => {
    const server = rawServer(() => undefined);
    const remote = await connected(server, { limits: { maxCallsInFlight: 2 } });
    remote.request('x/a').subscribe(ignored);
    remote.request('x/b').subscribe(ignored);
    await expect(once(remote.request('x/c'))).rejects.toMatchObject({
      code: 'TOO_MANY_CALLS',
      outcome: 'not-sent',
      retryable: true,
    });
    expect(server.calls().map((f) => f.method)).toEqual(['x/a', 'x/b']);
  });

  it('a caller has at most 1,024 calls in flight by default', async () => {
    const server = rawServer(() => undefined);
    const remote = await connected(server);
    const ends: unknown[] = [];
    const call = (): unknown =>
      remote.request('x/a').subscribe({ error: (error: { code: unknown }) => ends.push(error.code) });
    for (let n = 0; n < 1_024; n += 1) call();
    await turn();
    expect([server.calls().length, ends]).toEqual([1_024, []]);
    call();
    await turn();
    expect([server.calls().length, ends]).toEqual([1_024, ['TOO_MANY_CALLS']]);
  });

  it('while draining no new request is admitted, nor a new subscription', async () => {
    const listChanging = defineOffer({
      name: 'tools',
      side: 'server',
      capabilities: { tools: { listChanged: true } },
    });
    const client = rawClient([never, listChanging]);
    client.put(request(1, 'x/never'));
    const drained = client.served.drain({ timeoutMs: 60_000 });
    client.put(request(2, 'x/never'));
    const { params } = request(3, '') as { params: object };
    const listen = { ...params, notifications: { toolsListChanged: true } };
    client.put({ jsonrpc: '2.0', id: 3, method: 'subscriptions/listen', params: listen });
    const codes = (await client.take()).map((f) => [f.id, f.error?.code]);
    expect(codes).toEqual([
      [2, -31001],
      [3, -31001],
    ]);
    const again = client.served.drain({ timeoutMs: 60_000 });
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await Promise.all([drained, again]);
  });
});

describe('row 46: a peer that does not read', () => {
  it('gets the latest progress only, and before the result', async () => {
    const { holder, offers } = held();
    const client = rawClient(offers);
    client.put(request(1, 'x/held', { progressToken: 'p' }));
    await client.take();
    client.stall();
    for (let i = 1; i <= 1_000; i += 1) holder.ctx?.progress(i, 1_000, `step ${i}`);
    expect(await client.take()).toHaveLength(1);
    holder.finish({ done: 1 });
    client.release();
    const frames = await client.take();
    expect(frames.map((f) => f.params?.['progress'] ?? f.result?.['done'])).toEqual([1_000, 1]);
  });

  it('continues with progress when it reads again', async () => {
    const { holder, offers } = held();
    const client = rawClient(offers);
    client.put(request(1, 'x/held', { progressToken: 'p' }));
    await client.take();
    client.stall();
    for (const i of [1, 2, 3]) holder.ctx?.progress(i);
    client.release();
    await turn();
    holder.ctx?.progress(4);
    expect((await client.take()).map((f) => f.params?.['progress'])).toEqual([1, 3, 4]);
  });

  it('gets the last 64 logs, the first of which reports how many were lost', async () => {
    const { holder, offers } = held();
    const client = rawClient(offers);
    client.put(request(1, 'x/held', { 'io.modelcontextprotocol/logLevel': 'debug' }));
    await client.take();
    client.stall();
    for (let i = 0; i < 200; i += 1) holder.ctx?.log('info', i);
    client.release();
    const frames = await client.take();
    const data = frames.map((f) => f.params?.['data']);
    expect(data).toEqual([0, ...Array.from({ length: 64 }, (_, i) => 136 + i)]);
    expect(frames.map((f) => f.params?._meta?.['rxmcp/lost']).filter((n) => n !== undefined)).toEqual([135]);
  });

  it('row 47: progress that does not grow, or is not a number, is not sent', async () => {
    const { holder, offers } = held();
    const client = rawClient(offers);
    client.put(request(1, 'x/held', { progressToken: 0 }));
    await client.take();
    for (const i of [1, 1, 0, NaN, Infinity, 2]) holder.ctx?.progress(i);
    holder.finish({});
    await turn();
    holder.ctx?.progress(9);
    const frames = await client.take();
    expect(frames.map((f) => f.params?.['progress'] ?? 'end')).toEqual([1, 2, 'end']);
    expect(frames[0]?.params?.['progressToken']).toBe(0);
  });

  it('without a log level or token of the client, no logs and no progress are sent', async () => {
    const { holder, offers } = held();
    const client = rawClient(offers);
    client.put(request(1, 'x/held'));
    await client.take();
    holder.ctx?.progress(1);
    holder.ctx?.log('emergency', 'x');
    expect(await client.take()).toEqual([]);
  });
});

describe('row 47: progress that comes in', () => {
  it('is delivered while it grows, dropped otherwise', async () => {
    const server = rawServer((frame, wire) => {
      if (frame.method !== 'x/y') return undefined;
      for (const progress of [1, 1, 0.5, null, 'x', 2])
        wire.put({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: frame.id, progress },
        });
      wire.put({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 999, progress: 1 },
      });
      return { result: { ok: 1 } };
    });
    const remote = await connected(server);
    const seen: unknown[] = [];
    const events = getRemoteLink(remote).events({ method: 'x/y', decode: (r) => r.ok });
    await events.forEach((e) => void seen.push(e.type === 'progress' ? e.progress : e.type));
    expect(seen).toEqual([1, 2, 'result']);
  });
});
