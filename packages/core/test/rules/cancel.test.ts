import { NEVER } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import type { Context } from '../../src/index.js';
import { defineClient, offerMethod, once } from '../../src/index.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { turn, until } from '../rig/turn.js';

const request = (id: unknown, method: string, meta: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { _meta: { ...modernMeta(), ...meta } },
});
const cancel = (requestId: unknown): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});
const cancels = (frames: readonly { method?: string }[]) =>
  frames.filter((f) => f.method === 'notifications/cancelled');

describe('fault 29: cancel, timeout and response in the same tick', () => {
  const orders = ['cancel', 'timeout', 'response'].flatMap((a, _i, all) =>
    all.filter((b) => b !== a).map((b) => [a, b, all.find((c) => c !== a && c !== b) as string]),
  );
  it.each(orders)('%s, %s, %s: one end, at most one cancel, none after the result', async (...order) => {
    vi.useFakeTimers();
    try {
      const server = rawServer(() => undefined);
      const remote = await connected(server);
      const seen: string[] = [];
      const subscription = remote.request('x/y', {}, { idleTimeoutMs: 100 }).subscribe({
        next: () => seen.push('next'),
        error: () => seen.push('error'),
        complete: () => seen.push('complete'),
      });
      const wire = server.pipes[0] as (typeof server.pipes)[0];
      await turn(1);
      const { id } = wire.sent.at(-1) as { id: number };
      const acts: Record<string, () => void> = {
        cancel: () => subscription.unsubscribe(),
        timeout: () => void vi.advanceTimersByTime(100),
        response: () => wire.put({ jsonrpc: '2.0', id, result: { resultType: 'complete' } }),
      };
      for (const act of order) acts[act]?.();
      await turn();
      const ends: Record<string, string[]> = {
        cancel: [],
        timeout: ['error'],
        response: ['next', 'complete'],
      };
      expect(seen).toEqual(ends[order[0] as string]);
      expect(cancels(wire.sent)).toHaveLength(order[0] === 'response' ? 0 : 1);
    } finally {
      vi.useRealTimers();
    }
  });
});

it('fault 30: messages after a cancel are ignored', async () => {
  const server = rawServer(() => undefined);
  const remote = await connected(server);
  const faults: unknown[] = [];
  remote.faults$.subscribe((fault) => faults.push(fault));
  remote.request('x/y').subscribe().unsubscribe();
  const wire = server.pipes[0] as (typeof server.pipes)[0];
  const { id } = wire.sent.at(-2) as { id: number };
  wire.put({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: id, progress: 1 } });
  wire.put({ jsonrpc: '2.0', id, result: {} });
  wire.put({ jsonrpc: '2.0', id, error: { code: -1, message: 'late' } });
  await turn();
  expect(faults).toEqual([]);
});

it('a cancel is sent once, also when unsubscribed twice and closed afterwards', async () => {
  const server = rawServer(() => undefined);
  const remote = await connected(server);
  const subscription = remote.request('x/y').subscribe();
  subscription.unsubscribe();
  subscription.unsubscribe();
  await remote.close();
  const frames = server.pipes[0]?.sent ?? [];
  expect(cancels(frames)).toHaveLength(1);
});

it('a cancel finds a queued request: it never runs', async () => {
  const ran: unknown[] = [];
  const slow = offerMethod('x/slow', {}, (_params, ctx) => {
    ran.push(ctx.meta.n);
    return NEVER;
  });
  const client = rawClient([slow], { limits: { maxConcurrentRequests: 1 } });
  for (const n of [1, 2, 3]) client.put(request(n, 'x/slow', { n }));
  client.put(cancel(2));
  client.put(cancel(1));
  await turn();
  expect(ran).toEqual([1, 3]);
  expect(await client.take()).toEqual([]);
});

it('nothing follows a cancel: held progress and logs are dropped with the call', async () => {
  let ctx: Context | undefined;
  const offer = offerMethod('x/slow', {}, (_params, context) => {
    ctx = context;
    return NEVER;
  });
  const client = rawClient([offer]);
  client.put(request(1, 'x/slow', { progressToken: 't' }));
  await turn();
  client.stall();
  ctx?.progress(1);
  ctx?.progress(2);
  client.put(cancel(1));
  ctx?.progress(3);
  client.release();
  const frames = await client.take();
  expect(frames.map((f) => f.params?.['progress'])).toEqual([1]);
});

it('the end of a connection runs none of the requests that waited', async () => {
  const ran: unknown[] = [];
  const slow = offerMethod('x/slow', {}, (_params, ctx) => {
    ran.push(ctx.meta.n);
    return NEVER;
  });
  const client = rawClient([slow], { limits: { maxConcurrentRequests: 1 } });
  for (const n of [1, 2, 3]) client.put(request(n, 'x/slow', { n }));
  await turn();
  client.end();
  await client.served.closed;
  expect(ran).toEqual([1]);
});

it('initialize is never cancelled', async () => {
  const server = rawServer(() => undefined, { era: 'own' });
  const leaving = new AbortController();
  const legacy = defineClient({ info: { name: 'c', version: '1' }, eras: ['legacy'] });
  const opening = legacy.connect(server, { signal: leaving.signal });
  await until(() => server.pipes[0]?.sent.length === 1);
  leaving.abort(new Error('enough'));
  await expect(opening).rejects.toThrow('enough');
  expect(server.pipes[0]?.sent.map((f) => f.method)).toEqual(['initialize']);
  expect(server.pipes[0]?.closed).toBe(true);
});

it('a deadline cancels on the wire and reports outcome unknown', async () => {
  const server = rawServer(() => undefined);
  const remote = await connected(server);
  await expect(once(remote.request('x/y', {}, { idleTimeoutMs: 5 }))).rejects.toMatchObject({
    code: 'TIMEOUT',
    outcome: 'unknown',
  });
  expect(cancels(server.pipes[0]?.sent ?? [])).toHaveLength(1);
});
