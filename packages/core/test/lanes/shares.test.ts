import { MemoryBudget } from '@rxmcp/transport';
import { describe, expect, it } from 'vitest';
import { offerMethod } from '../../src/index.js';
import { defineOffer } from '../../src/internal.js';
import type { RawClient } from '../rig/raw-client.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { turn, until } from '../rig/turn.js';

const traits = {
  lanes: 'per-request',
  idScope: 'lane',
  serverInitiates: false,
  clientReplies: false,
} as const;
const offered = defineOffer({
  name: 'things',
  side: 'server',
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
  watch: () => () => undefined,
});
const overload = { code: -31001, data: { retryable: true } };

/** Puts a request of a principal, of an anonymous caller without an address, or of `@` and an address. */
function put(client: RawClient, who: string | undefined, method: string, params: object): object {
  const lane = {};
  const frame = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: modernMeta() } };
  const address = who?.startsWith('@') === true ? who.slice(1) : undefined;
  if (address !== undefined) client.putOn(frame, { lane, holder: `address ${address}` });
  else client.putOn(frame, { lane, ...(who === undefined ? {} : { principal: who }) });
  return lane;
}
const listen = (client: RawClient, principal: string | undefined, uris?: readonly string[]): object =>
  put(client, principal, 'subscriptions/listen', {
    notifications: uris === undefined ? { toolsListChanged: true } : { resourceSubscriptions: uris },
  });
const uris = (n: number, of = 'u') => Array.from({ length: n }, (_, at) => `a:/${of}/${at}`);

/** How often each kind of response came since the last call of this. */
async function told(client: RawClient): Promise<{ opened: number; refused: number }> {
  const frames = await client.take();
  const refused = frames.filter(({ error }) => error !== undefined);
  for (const { error } of refused) expect(error).toMatchObject(overload);
  return { opened: frames.length - refused.length, refused: refused.length };
}

describe('row 49: of a connection that many callers share', () => {
  it('one principal may open 64 subscriptions, and no other principal is refused for it', async () => {
    const client = rawClient([offered], { traits });
    const lanes = Array.from({ length: 65 }, () => listen(client, 'ada'));
    expect(await told(client)).toEqual({ opened: 64, refused: 1 });
    for (const who of ['bob', undefined]) listen(client, who);
    expect(await told(client)).toEqual({ opened: 2, refused: 0 });
    client.closeLane(lanes[0] as object);
    listen(client, 'ada');
    expect(await told(client)).toEqual({ opened: 1, refused: 0 });
  });

  it('all anonymous callers together may open 1,024, and a principal may still open one', async () => {
    const client = rawClient([offered], { traits });
    for (let n = 0; n < 1_025; n += 1) listen(client, undefined);
    expect(await told(client)).toEqual({ opened: 1_024, refused: 1 });
    listen(client, 'ada');
    expect(await told(client)).toEqual({ opened: 1, refused: 0 });
  });

  it('one address of anonymous callers has the share of one principal, all addresses together that of anonymous callers', async () => {
    const client = rawClient([offered], { traits });
    for (let n = 0; n < 65; n += 1) listen(client, '@a');
    expect(await told(client)).toEqual({ opened: 64, refused: 1 });
    for (let address = 0; address < 16; address += 1)
      for (let n = 0; n < 64; n += 1) listen(client, `@${address}`);
    expect(await told(client)).toEqual({ opened: 960, refused: 64 });
    listen(client, '@b');
    listen(client, 'ada');
    expect(await told(client)).toEqual({ opened: 1, refused: 1 });
  });

  it('one address may watch a limited number of resources, and all together too', async () => {
    const limits = {
      perCaller: { maxResourceSubscriptions: 3 },
      allAnonymous: { maxResourceSubscriptions: 5 },
    };
    const memory = new MemoryBudget({ maxBytes: 1024 * 1024 });
    const client = rawClient([offered], { traits, limits, memory });
    listen(client, '@a', uris(4));
    expect(await told(client)).toEqual({ opened: 0, refused: 1 });
    const lane = listen(client, '@a', uris(3));
    listen(client, '@a', uris(3));
    listen(client, '@b', uris(3));
    expect(await told(client)).toEqual({ opened: 2, refused: 1 });
    expect(memory.stats().largest.map(({ holder }) => holder)).toEqual(['address a']);
    listen(client, '@b', uris(2));
    listen(client, 'ada', uris(3));
    listen(client, undefined, uris(1));
    expect(await told(client)).toEqual({ opened: 2, refused: 1 });
    client.closeLane(lane);
    listen(client, '@b', uris(1, 'v'));
    // The other subscription of the address still watches the same resources.
    expect(await told(client)).toEqual({ opened: 0, refused: 1 });
    client.end();
    await turn();
    expect(memory.heldBytes).toBe(0);
  });

  it('one principal may watch a limited number of resources, each of them counted separately', async () => {
    const limits = { maxResourceSubscriptions: 7, perCaller: { maxResourceSubscriptions: 3 } };
    const client = rawClient([offered], { traits, limits });
    listen(client, 'ada', uris(4));
    expect(await told(client)).toEqual({ opened: 0, refused: 1 });
    const lane = listen(client, 'ada', uris(3));
    listen(client, 'ada', uris(3));
    listen(client, 'ada', uris(1, 'v'));
    listen(client, 'bob', uris(3));
    listen(client, undefined, uris(2));
    expect(await told(client)).toEqual({ opened: 3, refused: 2 });
    client.closeLane(lane);
    listen(client, undefined, uris(1));
    expect(await told(client)).toEqual({ opened: 1, refused: 0 });
  });

  it('resources that are watched in several turns count at once, and no longer where their subscription ends before', async () => {
    const slow = defineOffer({
      name: 'slow things',
      side: 'server',
      capabilities: { resources: { subscribe: true } },
      watch() {
        const end = performance.now() + 15;
        while (performance.now() < end);
        return () => undefined;
      },
    });
    const limits = { perCaller: { maxResourceSubscriptions: 3 } };
    const client = rawClient([slow], { traits, limits });
    const lane = listen(client, 'ada', uris(3));
    listen(client, 'ada', uris(1, 'v'));
    await until(() => client.sent.length === 1);
    client.closeLane(lane);
    listen(client, 'ada', uris(3, 'w'));
    await until(() => client.sent.length === 2);
    expect(await told(client)).toEqual({ opened: 1, refused: 1 });
  });

  it('other limits apply to anonymous callers too, unless these have their own', async () => {
    const own = rawClient([offered], { traits, limits: { maxSubscriptions: 3 } });
    for (let n = 0; n < 4; n += 1) listen(own, undefined);
    expect(await told(own)).toEqual({ opened: 3, refused: 1 });
    const less = rawClient([offered], {
      traits,
      limits: { maxSubscriptions: 3, allAnonymous: { maxSubscriptions: 1 } },
    });
    for (const who of [undefined, undefined, 'ada', 'ada', 'ada']) listen(less, who);
    expect(await told(less)).toEqual({ opened: 3, refused: 2 });
  });

  it('a connection of one peer is not divided', async () => {
    const client = rawClient([offered], {
      limits: { maxSubscriptions: 3, perCaller: { maxSubscriptions: 1 } },
    });
    for (const id of [1, 2, 3, 4])
      client.put({
        jsonrpc: '2.0',
        id,
        method: 'subscriptions/listen',
        params: { notifications: {}, _meta: modernMeta() },
      });
    expect(await told(client)).toEqual({ opened: 3, refused: 1 });
  });
});

describe('requests of a connection that many callers share', () => {
  const held = () => {
    const running: { who: string | undefined; finish(): void }[] = [];
    const offer = offerMethod(
      'x/held',
      {},
      ({ who }) =>
        new Promise<Record<string, unknown>>((finish) => {
          running.push({ who: who as string | undefined, finish: () => finish({}) });
        }),
    );
    return { offer, who: () => running.map(({ who }) => who), running };
  };
  const call = (client: RawClient, who: string | undefined): object => put(client, who, 'x/held', { who });

  it('wait where one principal has its share running, and others do not wait for them', async () => {
    const { offer, who, running } = held();
    const limits = { perCaller: { maxConcurrentRequests: 2, maxQueuedRequests: 1 } };
    const client = rawClient([offer], { traits, limits });
    for (let n = 0; n < 4; n += 1) call(client, 'ada');
    for (const other of ['bob', undefined]) call(client, other);
    expect(await told(client)).toEqual({ opened: 0, refused: 1 });
    expect(who()).toEqual(['ada', 'ada', 'bob', undefined]);
    running[2]?.finish();
    await turn();
    expect(who()).toHaveLength(4);
    running[0]?.finish();
    await turn();
    expect(who()).toEqual(['ada', 'ada', 'bob', undefined, 'ada']);
  });

  it('run in turn, and a cancelled one frees its slot', async () => {
    const { offer, who, running } = held();
    const client = rawClient([offer], { traits, limits: { maxConcurrentRequests: 1 } });
    const lanes = ['ada', 'ada', 'ada', 'ada', 'bob', 'bob', undefined].map((one) => call(client, one));
    client.closeLane(lanes[2] as object);
    for (let n = 0; n < 6; n += 1) {
      await turn();
      running[n]?.finish();
    }
    await turn();
    expect(who()).toEqual(['ada', 'ada', 'bob', undefined, 'ada', 'bob']);
    expect(await told(client)).toEqual({ opened: 6, refused: 0 });
  });

  it('of one address that fills its queue do not delay those of another', async () => {
    const { offer, who, running } = held();
    const client = rawClient([offer], { traits });
    for (let n = 0; n < 1_281; n += 1) call(client, '@a');
    expect(await told(client)).toEqual({ opened: 0, refused: 1 });
    expect(who()).toHaveLength(256);
    call(client, '@b');
    await turn();
    expect(who()).toHaveLength(257);
    expect(who().at(-1)).toBe('@b');
    running[0]?.finish();
    await turn();
    expect(who().at(-1)).toBe('@a');
    expect(who()).toHaveLength(258);
  });

  it('of all addresses together are limited, and a principal still has its share', async () => {
    const { offer, who, running } = held();
    const limits = { allAnonymous: { maxConcurrentRequests: 3, maxQueuedRequests: 2 } };
    const client = rawClient([offer], { traits, limits });
    for (const one of ['@a', '@b', '@c', '@d', '@e', '@f', 'ada']) call(client, one);
    expect(await told(client)).toEqual({ opened: 0, refused: 1 });
    expect(who()).toEqual(['@a', '@b', '@c', 'ada']);
    running[1]?.finish();
    await turn();
    expect(who()).toEqual(['@a', '@b', '@c', 'ada', '@d']);
    call(client, '@f');
    expect(await told(client)).toEqual({ opened: 1, refused: 0 });
  });

  it('of addresses run in turn, and all addresses have the turns of one principal', async () => {
    const { offer, who, running } = held();
    const client = rawClient([offer], { traits, limits: { maxConcurrentRequests: 1 } });
    for (const one of ['@a', '@a', '@a', '@b', '@b', '@c', 'ada', 'ada', 'ada', 'ada']) call(client, one);
    for (let n = 0; n < 9; n += 1) {
      await turn();
      running[n]?.finish();
    }
    await turn();
    expect(who()).toEqual(['@a', 'ada', '@a', 'ada', '@b', 'ada', '@c', 'ada', '@a', '@b']);
  });

  it('that wait end with their connection', async () => {
    const { offer, who } = held();
    const client = rawClient([offer], { traits, limits: { maxConcurrentRequests: 1 } });
    for (const one of ['ada', 'ada', 'bob']) call(client, one);
    await turn();
    client.end();
    await turn();
    expect(who()).toEqual(['ada']);
  });

  it('of very many principals leave nothing behind', async () => {
    const offer = offerMethod('x/held', {}, () => ({}));
    const client = rawClient([offer], { traits });
    for (let n = 0; n < 5_000; n += 1) call(client, `p${n}`);
    expect(await told(client)).toEqual({ opened: 5_000, refused: 0 });
  });
});
