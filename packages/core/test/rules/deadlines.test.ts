import { of } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../src/index.js';
import { offerMethod } from '../../src/index.js';
import { defineOffer, getRemoteLink } from '../../src/internal.js';
import { rawClient } from '../rig/raw-client.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A call that gets no response, on a pipe that the test controls. */
async function pending(options: object, era: 'modern' | 'legacy' = 'modern', offers: never[] = []) {
  const server = rawServer(() => undefined, { era });
  const remote = await connected(server, { offers });
  const ends: string[] = [];
  const begin = (): void => {
    remote
      .request('x/y', {}, options)
      .subscribe({ next: () => ends.push('next'), error: (e: Error) => ends.push(e.message) });
  };
  begin();
  await turn(1);
  const wire = server.pipes[0] as (typeof server.pipes)[0];
  const { id } = wire.sent.at(-1) as { id: number };
  const progress = (n: number, token: unknown = id): void =>
    wire.put({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: token, progress: n },
    });
  return { ends, wire, id, progress, remote, begin };
}

it('ends after idleTimeoutMs without a sign of life, not a millisecond before', async () => {
  const { ends } = await pending({ idleTimeoutMs: 1_000 });
  await vi.advanceTimersByTimeAsync(999);
  expect(ends).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toEqual(['"x/y" sent no response or progress for 1000 ms ("idleTimeoutMs")']);
});

it('progress is a sign of life, also when it does not grow', async () => {
  const { ends, progress } = await pending({ idleTimeoutMs: 1_000, totalTimeoutMs: 10_000 });
  for (const n of [1, 1, 1]) {
    await vi.advanceTimersByTimeAsync(900);
    progress(n);
  }
  await vi.advanceTimersByTimeAsync(999);
  expect(ends).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toHaveLength(1);
});

it('progress of another call does not count', async () => {
  const { ends, progress, id } = await pending({ idleTimeoutMs: 1_000 });
  await vi.advanceTimersByTimeAsync(900);
  progress(1, String(id));
  await vi.advanceTimersByTimeAsync(100);
  expect(ends).toHaveLength(1);
});

it('ends after totalTimeoutMs whatever progress arrives', async () => {
  const { ends, progress } = await pending({ idleTimeoutMs: 1_000, totalTimeoutMs: 2_500 });
  for (const n of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(800);
    progress(n);
  }
  await vi.advanceTimersByTimeAsync(99);
  expect(ends).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toEqual(['"x/y" exceeded "totalTimeoutMs"']);
});

it('the defaults are 60 s and 10 min; Infinity means no limit', async () => {
  const { ends } = await pending({});
  await vi.advanceTimersByTimeAsync(59_999);
  expect(ends).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toHaveLength(1);
  const other = await pending({ idleTimeoutMs: Infinity, totalTimeoutMs: Infinity });
  await vi.advanceTimersByTimeAsync(60 * 24 * 3_600_000);
  expect(other.ends).toEqual([]);
});

it('a shorter deadline that comes later is kept, in addition to a longer one', async () => {
  const { ends, remote } = await pending({ idleTimeoutMs: 5_000 });
  const short: string[] = [];
  remote.request('x/z', {}, { idleTimeoutMs: 100 }).subscribe({ error: (e: Error) => short.push(e.message) });
  await vi.advanceTimersByTimeAsync(100);
  expect([ends.length, short.length]).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(4_900);
  expect(ends).toHaveLength(1);
});

describe('while an ask is answered', () => {
  it('the clock stands still, and continues afterwards where it stood', async () => {
    let answer: (value: object) => void = () => undefined;
    const sampling = defineOffer({
      name: 'sampling',
      side: 'client',
      capabilities: { sampling: {} },
      methods: [
        { method: 'sampling/createMessage', handle: () => new Promise((r) => (answer = r as never)) },
      ],
    });
    const { ends, wire } = await pending({ idleTimeoutMs: 1_000, totalTimeoutMs: 1_000 }, 'legacy', [
      sampling as never,
    ]);
    await vi.advanceTimersByTimeAsync(600);
    wire.put({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params: {} });
    await vi.advanceTimersByTimeAsync(300_000);
    expect(ends).toEqual([]);
    answer({ role: 'assistant' });
    await vi.advanceTimersByTimeAsync(399);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toHaveLength(1);
  });

  it('for 10 minutes at most: a user who never answers does not stop the clock for ever', async () => {
    const mine = offerMethod('x/ask', {}, () => new Promise(() => undefined));
    const { ends, wire } = await pending({ idleTimeoutMs: 1_000 }, 'legacy', [mine as never]);
    wire.put({ jsonrpc: '2.0', id: 'q', method: 'x/ask', params: {} });
    await vi.advanceTimersByTimeAsync(600_999);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toHaveLength(1);
  });

  it('that came on the lane of another call, the clock continues', async () => {
    const mine = offerMethod('x/ask', {}, () => new Promise(() => undefined));
    const traits = { lanes: 'per-request', idScope: 'connection' } as const;
    const server = rawServer(() => undefined, { era: 'legacy' }, traits);
    const remote = await connected(server, { offers: [mine] });
    const ends: string[] = [];
    const [wire] = server.pipes;
    for (const method of ['x/asked', 'x/other'])
      remote.request(method, {}, { idleTimeoutMs: 1_000 }).subscribe({ error: () => ends.push(method) });
    await turn(1);
    const lane = wire?.laneOf('x/asked');
    wire?.putOn({ jsonrpc: '2.0', id: 'q', method: 'x/ask', params: {} }, { lane: lane as object });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ends).toEqual(['x/other']);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ends).toEqual(['x/other', 'x/asked']);
  });

  it('a call begun meanwhile gets its own time only', async () => {
    let answer: (value: object) => void = () => undefined;
    const mine = offerMethod('x/ask', {}, () => new Promise((r) => (answer = r as never)));
    const { ends, wire, begin } = await pending({ idleTimeoutMs: 1_000 }, 'legacy', [mine as never]);
    wire.put({ jsonrpc: '2.0', id: 'q', method: 'x/ask', params: {} });
    await vi.advanceTimersByTimeAsync(50_000);
    begin();
    answer({});
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ends).toHaveLength(2);
  });
});

describe('a server that asks', () => {
  it('notifies the client when it times out after 10 minutes', async () => {
    let outcome: unknown;
    const asking = offerMethod('x/asks', {}, async (_params, ctx: Context) => {
      outcome = await ctx.request('x/there').catch((e: unknown) => e);
      return {};
    });
    const client = rawClient([asking]);
    client.put({
      jsonrpc: '2.0',
      id: 'hello',
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'r', version: '0' } },
    });
    client.put({ jsonrpc: '2.0', id: 1, method: 'x/asks' });
    const asked = (await client.take()).find((f) => f.method === 'x/there');
    await vi.advanceTimersByTimeAsync(600_000);
    // No option of a server changes it.
    expect(outcome).toMatchObject({
      code: 'TIMEOUT',
      message: '"x/there" was not answered within 600000 ms',
    });
    const frames = await client.take();
    expect(frames.find((f) => f.method === 'notifications/cancelled')?.params).toMatchObject({
      requestId: asked?.id,
    });
  });
});

it('listens have no deadline after the acknowledgement, whatever progress is sent for them', async () => {
  const server = rawServer(
    (frame, wire) => {
      if (frame.method === 'subscriptions/listen') {
        const _meta = { 'io.modelcontextprotocol/subscriptionId': frame.id };
        const params = { notifications: { toolsListChanged: true }, _meta };
        wire.put({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params });
        const progress = { progressToken: frame.id, progress: 1 };
        wire.put({ jsonrpc: '2.0', method: 'notifications/progress', params: progress });
      }
      return undefined;
    },
    { capabilities: { tools: { listChanged: true } } },
  );
  const remote = await connected(server);
  getRemoteLink(remote)
    .live('k', [{ list: 'tools' }], () => of(1))
    .subscribe();
  await turn();
  remote.request('x/other', {}, { idleTimeoutMs: 70_000 }).subscribe({ error: () => undefined });
  await vi.advanceTimersByTimeAsync(3_600_000);
  const listens = server.calls().filter((f) => f.method === 'subscriptions/listen');
  expect(listens).toHaveLength(1);
});
