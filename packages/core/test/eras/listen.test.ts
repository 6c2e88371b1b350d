import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { defineOffer } from '../../src/internal.js';
import type { Frame } from '../rig/pipe.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';

const sub = 'io.modelcontextprotocol/subscriptionId';

/** Tools that change and resources `a:` that can be watched, in the hands of the test. */
function changing(watching = (): void => undefined) {
  const watched = new Map<string, (uri: string) => void>();
  const hand = { tools: (): void => undefined, watched };
  const offer = defineOffer({
    name: 'changing',
    side: 'server',
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    start: (host) => {
      hand.tools = () => host.changed('tools');
      return undefined;
    },
    watch(uri, _caller, changed) {
      if (!uri.startsWith('a:')) throw new Error('unknown');
      watching();
      watched.set(uri, changed);
      return () => watched.delete(uri);
    },
  });
  return { hand, offer };
}

const listen = (id: unknown, notifications: unknown): object => ({
  jsonrpc: '2.0',
  id,
  method: 'subscriptions/listen',
  params: { notifications, _meta: modernMeta() },
});
const tag = (frame: Frame | undefined): unknown => frame?.params?._meta?.[sub];

describe('subscriptions/listen', () => {
  it.each([0, '', 'x', 7])('is acknowledged first, tagged with %j as it came', async (id) => {
    const { hand, offer } = changing();
    const client = rawClient([offer]);
    client.put(listen(id, { toolsListChanged: true, promptsListChanged: true }));
    hand.tools();
    const [ack, notice] = await client.take();
    expect(ack).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { [sub]: id } },
    });
    expect(ack?.params?.['notifications']).not.toHaveProperty('promptsListChanged');
    expect(notice?.method).toBe('notifications/tools/list_changed');
    expect(tag(notice)).toBe(id);
  });

  it('leaves out a uri that cannot be watched; each change is sent once per subscription', async () => {
    const { hand, offer } = changing();
    const client = rawClient([offer]);
    client.put(listen(1, { resourceSubscriptions: ['a:/x', 'b:/none', 5, 'a:/x'] }));
    client.put(listen(2, { resourceSubscriptions: ['a:/x'] }));
    const [ack] = await client.take();
    expect(
      new Set((ack?.params?.['notifications'] as { resourceSubscriptions: string[] }).resourceSubscriptions),
    ).toEqual(new Set(['a:/x']));
    hand.watched.get('a:/x')?.('a:/x');
    hand.watched.get('a:/x')?.('a:/x');
    expect((await client.take()).map((f) => [f.params?.['uri'], tag(f)])).toEqual([
      ['a:/x', 1],
      ['a:/x', 2],
    ]);
  });

  describe('with resources whose watches take long', () => {
    const uris = Array.from({ length: 9 }, (_, at) => `a:/${String(at)}`);
    const loopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

    /** Each watch takes 5 ms of a virtual clock, in which the timers of the server fire as well. */
    async function slow() {
      vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      await loopTurn();
      const { hand, offer } = changing(() => void vi.advanceTimersByTime(5));
      const client = rawClient([offer]);
      client.put(listen(1, { toolsListChanged: true, resourceSubscriptions: uris }));
      while (hand.watched.size === 0) await Promise.resolve();
      return { hand, client };
    }

    it('watches them in turns of the event loop, and sends no change before the acknowledgement', async () => {
      const { hand, client } = await slow();
      expect(hand.watched.size).toBe(2);
      hand.watched.get('a:/0')?.('a:/0');
      hand.tools();
      while (hand.watched.size === 2) await loopTurn();
      expect(hand.watched.size).toBe(4);
      while (hand.watched.size < uris.length) await loopTurn();
      vi.useRealTimers();
      hand.watched.get('a:/1')?.('a:/1');
      const frames = await client.take();
      expect(frames[0]).toMatchObject({
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { toolsListChanged: true, resourceSubscriptions: uris } },
      });
      expect(frames.slice(1).map(({ params }) => params?.['uri'])).toEqual(['a:/1']);
    });

    it('watches no further one once it is cancelled', async () => {
      const { hand, client } = await slow();
      client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      vi.useRealTimers();
      expect(await client.take()).toEqual([]);
      for (let turns = 0; turns < 9; turns += 1) await loopTurn();
      expect(hand.watched.size).toBe(0);
    });
  });

  it.each([undefined, null, [], 'x'])('refuses the filter %j', async (filter) => {
    const { offer } = changing();
    const client = rawClient([offer]);
    client.put(listen(1, filter));
    expect((await client.take())[0]?.error?.code).toBe(-32602);
  });

  it('row 49: beyond the cap it is refused as retryable', async () => {
    const { offer } = changing();
    const client = rawClient([offer], { limits: { maxSubscriptions: 2 } });
    for (const id of [1, 2, 3]) client.put(listen(id, {}));
    const refused = (await client.take()).find((f) => f.error !== undefined);
    expect(refused).toMatchObject({ id: 3, error: { code: -31001, data: { retryable: true } } });
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    client.put(listen(4, {}));
    expect(await client.take()).toMatchObject([{ method: 'notifications/subscriptions/acknowledged' }]);
  });

  it('a cancel ends it: nothing is sent, nothing is watched any more', async () => {
    const { hand, offer } = changing();
    const client = rawClient([offer]);
    client.put(listen(1, { toolsListChanged: true, resourceSubscriptions: ['a:/x'] }));
    await client.take();
    expect(hand.watched.size).toBe(1);
    hand.tools();
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    hand.tools();
    expect(await client.take()).toEqual([]);
    expect(hand.watched.size).toBe(0);
  });

  it('ends in order with its result, then the cancellation', async () => {
    const { offer } = changing();
    const client = rawClient([offer]);
    for (const id of [0, 'b']) client.put(listen(id, { toolsListChanged: true }));
    await client.take();
    await client.served.drain({ timeoutMs: 1_000 });
    const frames = await client.take();
    expect(frames.map((f) => f.method ?? 'result')).toEqual([
      'result',
      'notifications/cancelled',
      'result',
      'notifications/cancelled',
    ]);
    expect(frames[0]).toMatchObject({ id: 0, result: { resultType: 'complete', _meta: { [sub]: 0 } } });
    expect(frames[1]?.params?.['requestId']).toBe(0);
  });

  it('row 46: changes of one key coalesce while the peer does not read, of different ones do not', async () => {
    const { hand, offer } = changing();
    const client = rawClient([offer]);
    client.put(listen('a', { toolsListChanged: true, resourceSubscriptions: ['a:/x'] }));
    client.put(listen('a b', { toolsListChanged: true }));
    await client.take();
    client.stall();
    client.put({ jsonrpc: '2.0', id: 'p', method: 'ping' });
    for (let i = 0; i < 20; i += 1) {
      hand.tools();
      hand.watched.get('a:/x')?.('a:/x');
      await turn(2);
    }
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } });
    client.release();
    const frames = await client.take();
    expect(frames.filter((f) => f.method !== undefined).map(tag)).toEqual(['a b']);
  });

  it('is counted in connections$ while it is open', async () => {
    const { offer } = changing();
    const client = rawClient([offer]);
    const counts: number[] = [];
    client.server.connections$.subscribe((all) => counts.push(all[0]?.subscriptions ?? -1));
    client.put(listen(1, {}));
    await turn();
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await turn();
    expect(counts.slice(-2)).toEqual([1, 0]);
  });
});

describe('resources/subscribe of the older era', () => {
  const request = (id: number, method: string, uri: unknown) => ({ id, method, params: { uri } });

  it('is reported by connections$, and so is its end', async () => {
    const { offer } = changing();
    const client = rawClient([offer]);
    await client.shake();
    const counts: number[] = [];
    client.server.connections$.subscribe((all) => counts.push(all[0]?.subscriptions ?? -1));
    await client.ask(request(1, 'resources/subscribe', 'a:/x'));
    await turn();
    await client.ask(request(2, 'resources/unsubscribe', 'a:/x'));
    await turn();
    expect(counts).toEqual([0, 1, 0]);
  });

  it('is one watch however often it is requested; unsubscribing once ends it; without a watch that is not an error', async () => {
    const { hand, offer } = changing();
    const client = rawClient([offer]);
    await client.shake();
    await client.ask(request(1, 'resources/subscribe', 'a:/x'));
    await client.ask(request(2, 'resources/subscribe', 'a:/x'));
    await client.take();
    hand.watched.get('a:/x')?.('a:/x');
    expect(await client.take()).toMatchObject([
      { method: 'notifications/resources/updated', params: { uri: 'a:/x' } },
    ]);
    await client.ask(request(3, 'resources/unsubscribe', 'a:/x'));
    expect(hand.watched.size).toBe(0);
    expect(await client.ask(request(4, 'resources/unsubscribe', 'a:/x'))).toMatchObject({ result: {} });
    expect((await client.ask(request(5, 'resources/subscribe', 7))).error?.code).toBe(-32602);
  });

  it('unsubscribing one keeps what waits for another whose uri begins alike', async () => {
    const { hand, offer } = changing();
    const client = rawClient([offer]);
    await client.shake();
    await client.ask(request(1, 'resources/subscribe', 'a:/x'));
    await client.ask(request(2, 'resources/subscribe', 'a:/xy'));
    await client.take();
    client.stall();
    client.put({ jsonrpc: '2.0', id: 3, method: 'ping' });
    hand.watched.get('a:/xy')?.('a:/xy');
    await turn();
    client.put({ jsonrpc: '2.0', ...request(4, 'resources/unsubscribe', 'a:/x') });
    client.release();
    expect((await client.take()).some((f) => f.params?.['uri'] === 'a:/xy')).toBe(true);
  });

  it('a watch that is cancelled and renewed in one tick receives changes', async () => {
    const { hand, offer } = changing();
    const client = rawClient([offer]);
    await client.shake();
    await client.ask(request(1, 'resources/subscribe', 'a:/x'));
    await client.take();
    hand.watched.get('a:/x')?.('a:/x');
    client.put({ jsonrpc: '2.0', ...request(2, 'resources/unsubscribe', 'a:/x') });
    client.put({ jsonrpc: '2.0', ...request(3, 'resources/subscribe', 'a:/x') });
    hand.watched.get('a:/x')?.('a:/x');
    expect((await client.take()).some((f) => f.method === 'notifications/resources/updated')).toBe(true);
  });
});
