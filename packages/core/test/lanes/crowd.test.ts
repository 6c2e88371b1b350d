import { firstValueFrom, Subject } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Context, Offer, Remote } from '../../src/index.js';
import { defineClient, defineServer, offerMethod, offerNotification } from '../../src/index.js';
import { defineOffer } from '../../src/internal.js';
import { watch } from '../rig/counting.js';
import { LanedLink } from '../rig/laned.js';
import { rawClient, modernMeta } from '../rig/raw-client.js';
import { turn, until } from '../rig/turn.js';

const alone = {
  lanes: 'per-request',
  idScope: 'lane',
  serverInitiates: false,
  clientReplies: false,
} as const;
const echo = offerMethod('x/echo', {}, ({ text }, ctx) => ({ text, who: ctx.caller.principal }));
const modern = (id: unknown, method: string, params: object = {}, meta: Record<string, unknown> = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: modernMeta(meta) },
});

/** A handler that waits until the test releases it, per text. */
function held() {
  const running = new Map<unknown, { ctx: Context; finish(value: object): void }>();
  const offer = offerMethod('x/held', {}, ({ text }, ctx) => {
    return new Promise<Record<string, unknown>>(
      (finish) => void running.set(text, { ctx, finish: finish as never }),
    );
  });
  return { offer, running };
}

describe('two callers of one connection that both use id 1', () => {
  const two = async (offers: readonly Offer[], method: string) => {
    const client = rawClient(offers, { traits: alone });
    const [a, b] = [{ who: 'a' }, { who: 'b' }];
    for (const lane of [a, b])
      client.putOn(modern(1, method, { text: lane.who }, { progressToken: 1 }), {
        lane,
        principal: lane.who,
      });
    await turn();
    const on = (lane: object) => client.sent.filter((_, i) => client.envelopes[i]?.lane === lane);
    return { client, a, b, on };
  };

  it('get their own responses, each on its own lane', async () => {
    const { client, a, b, on } = await two([echo], 'x/echo');
    expect(on(a)).toMatchObject([{ id: 1, result: { text: 'a', who: 'a' } }]);
    expect(on(b)).toMatchObject([{ id: 1, result: { text: 'b', who: 'b' } }]);
    expect(client.sent).toHaveLength(2);
    expect(client.faults).toEqual([]);
  });

  it('get their own progress, notifications and ends', async () => {
    const { offer, running } = held();
    const { a, b, on } = await two([offer], 'x/held');
    running.get('b')?.ctx.progress(1);
    running.get('b')?.ctx.notify('x/told', { to: 'b' });
    running.get('a')?.finish({ is: 'a' });
    await turn();
    running.get('b')?.finish({ is: 'b' });
    await turn();
    expect(on(a)).toMatchObject([{ id: 1, result: { is: 'a' } }]);
    expect(on(b)).toMatchObject([
      { method: 'notifications/progress' },
      { method: 'x/told' },
      { id: 1, result: { is: 'b' } },
    ]);
  });

  it('a lane that closes ends its own request only; a second request on it with its id is refused', async () => {
    const { offer, running } = held();
    const { client, a, b, on } = await two([offer], 'x/held');
    client.putOn(modern(1, 'x/held', { text: 'again' }), { lane: b });
    await turn();
    expect(on(b)).toMatchObject([{ id: 1, error: { code: -32600 } }]);
    client.closeLane(a);
    expect(running.get('a')?.ctx.signal.aborted).toBe(true);
    expect(running.get('b')?.ctx.signal.aborted).toBe(false);
    running.get('a')?.finish({});
    running.get('b')?.finish({ is: 'b' });
    await turn();
    expect(on(a)).toEqual([]);
    expect(on(b).at(-1)).toMatchObject({ id: 1, result: { is: 'b' } });
    expect(client.ended).toEqual([]);
  });

  it('row 48: a cancel, progress or a response outside any lane affects no call', async () => {
    const { offer, running } = held();
    const heard = new Subject<unknown>();
    const told = offerNotification('x/tell', (_params, from) => heard.next(from.principal));
    const first = firstValueFrom(heard);
    const { client, on, a } = await two([offer, told], 'x/held');
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    client.put(cancelled);
    client.putOn(cancelled, { lane: {} });
    client.put({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 1 },
    });
    client.put({ jsonrpc: '2.0', id: 1, result: { not: 'asked' } });
    client.putOn({ jsonrpc: '2.0', method: 'x/tell' }, { principal: 'c' });
    expect(await first).toBe('c');
    for (const text of ['a', 'b']) expect(running.get(text)?.ctx.signal.aborted).toBe(false);
    running.get('a')?.finish({ is: 'a' });
    await turn();
    expect(on(a)).toMatchObject([{ result: { is: 'a' } }]);
    expect(client.faults.map(({ code }) => code)).toEqual(['UNKNOWN_RESPONSE']);
  });

  it('a lane may be waited for by many: one that closes ends all of its requests', async () => {
    const { offer, running } = held();
    const client = rawClient([offer], { traits: alone });
    const lane = {};
    for (const id of [1, 2, '1']) client.putOn(modern(id, 'x/held', { text: id }), { lane });
    await turn();
    running.get(2)?.finish({ two: true });
    await turn();
    expect(client.sent).toMatchObject([{ id: 2, result: { two: true } }]);
    client.closeLane(lane);
    expect([1, '1'].map((id) => running.get(id)?.ctx.signal.aborted)).toEqual([true, true]);
  });
});

describe('a caller that does not read', () => {
  it('holds up its own progress and notifications only', async () => {
    const { offer, running } = held();
    const link = new LanedLink();
    link.serve(defineServer({ info: { name: 's', version: '1' }, offers: [offer] }));
    const events: string[] = [];
    for (const who of ['slow', 'quick']) {
      const remote = await joined(link, who);
      remote.request('x/held', { text: who }).subscribe({ next: () => events.push(`${who} end`) });
    }
    await until(() => running.size === 2);
    const release = link.stall('slow');
    for (const who of ['slow', 'quick']) for (let n = 1; n <= 4; n += 1) running.get(who)?.ctx.progress(n);
    await turn();
    const progress = (who: string) =>
      link.to(who).flatMap((f) => (f.method === 'notifications/progress' ? [f.params?.['progress']] : []));
    expect([progress('slow'), progress('quick')]).toEqual([[], [1, 2, 3, 4]]);
    running.get('quick')?.finish({});
    await until(() => events.length === 1);
    release();
    await turn();
    // The first was under way already; of the rest the latest counts.
    expect(progress('slow')).toEqual([1, 4]);
    running.get('slow')?.finish({});
    await until(() => events.length === 2);
    expect(events).toEqual(['quick end', 'slow end']);
  });
});

describe('subscriptions of many callers', () => {
  it('each holds its lane, and receives only its own; both have id 2', async () => {
    const { link, changed, remotes } = await watched(['a', 'b']);
    expect(link.open.size).toBe(2);
    changed('x:b');
    await until(() => remotes.b.reads.length === 2);
    expect(remotes.a.reads).toHaveLength(1);
    expect(link.to('a').filter((f) => f.method === 'notifications/resources/updated')).toEqual([]);
    remotes.a.stop();
    await until(() => link.open.size === 1);
    changed('x:b');
    await until(() => remotes.b.reads.length === 3);
  });

  it('a slow one keeps the latest notification per resource for itself', async () => {
    const { link, changed, remotes } = await watched(['a', 'b'], true);
    const release = link.stall('a');
    for (let n = 0; n < 3; n += 1) {
      changed('x:same');
      await turn();
    }
    const notices = (who: string) =>
      link.to(who).filter((f) => f.method === 'notifications/resources/updated');
    expect([notices('a').length, notices('b').length]).toEqual([0, 3]);
    remotes.b.stop();
    await turn();
    release();
    await turn();
    expect(notices('a')).toHaveLength(2);
  });

  it('end with their result and their lane when the server drains', async () => {
    const { link, drain, remotes } = await watched(['a', 'b']);
    await drain();
    expect(link.open.size).toBe(0);
    for (const who of ['a', 'b']) {
      const own = link.to(who);
      const ends = own.filter((f) => f.id === 2);
      expect(ends).toMatchObject([{ result: { resultType: 'complete' } }]);
      expect(own.filter((f) => f.method === 'notifications/cancelled')).toEqual([]);
    }
    remotes.a.stop();
  });

  it('row 49: 1,024 of them are accepted, and 64 for one caller of a pipe', async () => {
    const listen = (id: unknown) =>
      modern(id, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    const tools = defineOffer({
      name: 'tools',
      side: 'server',
      capabilities: { tools: { listChanged: true } },
    });
    const crowd = rawClient([tools], { traits: alone });
    for (let n = 1; n <= 1_024; n += 1) crowd.putOn(listen(1), { lane: {} });
    await turn();
    expect(crowd.sent.every((f) => f.method === 'notifications/subscriptions/acknowledged')).toBe(true);
    crowd.putOn(listen(1), { lane: {} });
    await turn();
    expect(crowd.sent).toHaveLength(1_025);
    expect(crowd.sent.at(-1)).toMatchObject({ id: 1, error: { code: -31001, data: { retryable: true } } });
    expect(crowd.envelopes.at(-1)?.rejection).toBe('overloaded');
    const own = rawClient([tools], { traits: alone, limits: { maxSubscriptions: 1 } });
    own.putOn(listen(1), { lane: {} });
    own.putOn(listen(1), { lane: {} });
    await turn();
    expect(own.sent.at(-1)).toMatchObject({ error: { code: -31001 } });
  });
});

async function joined(link: LanedLink, principal: string): Promise<Remote> {
  const remote = await defineClient({ info: { name: 'c', version: '1' } }).connect(link.as(principal));
  onTestFinished(() => remote.close());
  return remote;
}

/** Remotes that each watch a resource of their own, or all the same. */
async function watched<W extends string>(callers: readonly W[], same = false) {
  const watchers = new Map<string, (uri: string) => void>();
  const resources = defineOffer({
    name: 'resources',
    side: 'server',
    capabilities: { resources: { subscribe: true } },
    methods: [{ method: 'x/read', handle: () => ({ n: 1 }) }],
    watch(uri, caller, changed) {
      const key = `${caller.principal} ${uri}`;
      watchers.set(key, changed);
      return () => watchers.delete(key);
    },
  });
  const link = new LanedLink();
  const server = defineServer({ info: { name: 's', version: '1' }, offers: [resources] });
  const all: { drain(options: { timeoutMs: number }): Promise<void> }[] = [];
  link.serve({
    accept(connection) {
      const served = server.accept(connection);
      all.push(served);
      return served;
    },
  });
  const remotes = {} as Record<W, { reads: number[]; stop(): void }>;
  for (const who of callers) {
    const reads: number[] = [];
    const remote = await joined(link, who);
    const uri = same ? 'x:same' : `x:${who}`;
    const subscription = watch(remote, uri).subscribe({ next: (n) => reads.push(n), error: () => undefined });
    remotes[who] = { reads, stop: () => subscription.unsubscribe() };
    await until(() => reads.length === 1);
  }
  return {
    link,
    remotes,
    changed: (uri: string) => {
      for (const [key, changed] of watchers) if (key.endsWith(` ${uri}`)) changed(uri);
    },
    drain: async () => void (await Promise.all(all.map((served) => served.drain({ timeoutMs: 100 })))),
  };
}
