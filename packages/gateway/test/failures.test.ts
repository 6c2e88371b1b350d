import type { Fault, Remote } from '@rxmcp/core';
import { defineClient, defineServer, once, reconnect, RpcError } from '@rxmcp/core';
import { defineServerOffer } from '@rxmcp/core/internal';
import { offerResources, type Resource, resource, resources } from '@rxmcp/resources';
import { offerTools, type Tool, tool, tools } from '@rxmcp/tools';
import { BehaviorSubject, NEVER, Subject, tap } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { offerRemote } from '../src/index.js';
import { connected, info, legacy, modern, pairs, served } from './rig.js';

const one = (name: string) => [offerTools([tool(name, () => name)])];
const namesOf = async (remote: Remote): Promise<string[]> =>
  (await once(tools(remote).list())).map(({ name }) => name);

describe.each(pairs)('a lost server, outer %s, inner %s', (outerVersion, innerVersion) => {
  it('fails its own items only, with a typed retryable error, and keeps them listed', async () => {
    const lost = served('lost', one('x'));
    const a = await connected(lost, innerVersion);
    const b = await connected(served('other', one('y')), innerVersion);
    const outer = served('gateway', [...offerRemote(a), ...offerRemote(b)]);
    const remote = await connected(outer, outerVersion);
    expect(await namesOf(remote)).toEqual(['x', 'y']);
    await a.close();
    await expect(once(tools(remote).call('x'))).rejects.toMatchObject({
      name: 'RpcError',
      code: -31003,
      retryable: true,
      data: { code: 'CLOSED', retryable: true },
    });
    expect(await once(tools(remote).call('y'))).toMatchObject({ content: [{ text: 'y' }] });
    expect(await namesOf(remote)).toEqual(['x', 'y']);
  });

  it('offers the lists of the next connection', async () => {
    const first = served('inner', one('x'));
    const remotes$ = new BehaviorSubject(await connected(first, innerVersion));
    const remote = await connected(served('gateway', [...offerRemote(remotes$)]), outerVersion);
    const lists: string[][] = [];
    tools(remote).list$.subscribe((list) => lists.push(list.map(({ name }) => name)));
    await vi.waitFor(() => expect(lists).toEqual([['x']]));
    await remotes$.value.close();
    remotes$.next(await connected(served('inner', one('z')), innerVersion));
    await vi.waitFor(() => expect(lists).toEqual([['x'], ['z']]));
    expect(await once(tools(remote).call('z'))).toMatchObject({ content: [{ text: 'z' }] });
  });
});

it('follows a client that reconnects, and disconnects when the gateway has no client left', async () => {
  const inner = served('inner', one('x'));
  const live$ = defineClient({ info })
    .live(inner.link)
    .pipe(reconnect({ initialDelayMs: 1, jitter: false }));
  const open = (): number => openConnections;
  let openConnections = 0;
  const counted$ = live$.pipe(
    tap({ next: () => (openConnections += 1), unsubscribe: () => (openConnections = 0) }),
  );
  const outer = served('gateway', offerRemote(counted$));
  const remote = await connected(outer, modern);
  const lists: string[][] = [];
  tools(remote).list$.subscribe((list) => lists.push(list.map(({ name }) => name)));
  await vi.waitFor(() => expect(lists).toEqual([['x']]));
  await inner.close();
  await expect(once(tools(remote).call('x'))).rejects.toMatchObject({ code: -31003, retryable: true });
  const back = inner.link.serve(defineServer({ info, offers: one('back') }));
  await vi.waitFor(() => expect(lists).toEqual([['x'], ['back']]));
  expect(open()).toBe(2);
  await remote.close();
  await vi.waitFor(() => expect(open()).toBe(0));
  await back.close();
});

it('does not wait for a server that sends no list', async () => {
  const silent = served('silent', [offerTools(NEVER)]);
  const outer = served('gateway', [
    ...offerRemote(await connected(silent, legacy), { prefix: 'silent' }),
    ...offerRemote(await connected(served('other', one('y')), legacy), { prefix: 'other' }),
  ]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const remote = await connected(outer, modern);
  const names = namesOf(remote);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await names).toEqual(['other-y']);
});

describe('a server whose first list is late', () => {
  const late = async () => {
    const [tools$, resources$] = [new Subject<Tool[]>(), new Subject<Resource[]>()];
    const slow = served('slow', [
      offerTools(tools$, { offerTimeoutMs: 60_000 }),
      offerResources(resources$, { offerTimeoutMs: 60_000 }),
    ]);
    const outer = served('gateway', [
      ...offerRemote(await connected(slow, legacy)),
      ...offerRemote(await connected(served('other', one('y')), legacy)),
      offerResources([resource('other:a', { name: 'a' }, 'other')]),
    ]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const remote = await connected(outer, modern);
    const names = namesOf(remote);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await names).toEqual(['y']);
    return { remote, tools$, resources$ };
  };

  it('has calls and reads wait for it that no other server answers', async () => {
    const { remote, tools$, resources$ } = await late();
    const called = once(tools(remote).call('x'));
    const read = once(resources(remote).read('slow:a'));
    expect(await once(tools(remote).call('y'))).toMatchObject({ content: [{ text: 'y' }] });
    expect(await once(resources(remote).read('other:a'))).toMatchObject([{ text: 'other' }]);
    tools$.next([tool('x', () => 'x')]);
    resources$.next([resource('slow:a', { name: 'a' }, 'slow')]);
    expect(await called).toMatchObject({ content: [{ text: 'x' }] });
    expect(await read).toMatchObject([{ text: 'slow' }]);
    await expect(once(tools(remote).call('z'))).rejects.toMatchObject({ code: -32602 });
    await expect(once(resources(remote).read('slow:b'))).rejects.toMatchObject({ code: -32602 });
  });

  it('has them fail after 5 s, with an error that can be retried', async () => {
    const { remote } = await late();
    const failures = Promise.allSettled([
      once(tools(remote).call('x')),
      once(resources(remote).read('slow:a')),
    ]);
    await expect(once(remote.request('resources/read', { uri: 'not a URI' }))).rejects.toMatchObject({
      code: -32602,
    });
    await vi.advanceTimersByTimeAsync(5_000);
    const retryable = { status: 'rejected', reason: { code: -31003, retryable: true } };
    expect(await failures).toMatchObject([retryable, retryable]);
  });
});

it('lists again after a failure, with a fault of the remote', async () => {
  let lists = 0;
  const failing = defineServerOffer({
    name: 'tools',
    side: 'server',
    capabilities: { tools: {} },
    methods: [
      {
        method: 'tools/list',
        handle() {
          lists += 1;
          if (lists === 1) throw new RpcError(-31998, 'not now');
          return { tools: [{ name: 'x', inputSchema: { type: 'object' } }] };
        },
      },
    ],
  });
  const inner = await connected(served('inner', [failing]), modern);
  const faults: Fault[] = [];
  inner.faults$.subscribe((fault) => faults.push(fault));
  const outer = served('gateway', offerRemote(inner));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const remote = await connected(outer, modern);
  const names = namesOf(remote);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await names).toEqual(['x']);
  expect(lists).toBe(2);
  expect(faults).toMatchObject([{ code: 'OFFER_FAILED', cause: { code: -31998 } }]);
});

it('ends a call that the inner server does not answer, and no other', async () => {
  const hanging = served('hanging', [offerTools([tool('hang', () => NEVER)])]);
  const values$ = new BehaviorSubject('1');
  const other = served('other', [offerResources([resource('test://v', { name: 'v' }, values$)])]);
  const outer = served('gateway', [
    ...offerRemote(await connected(hanging, legacy, [], { idleTimeoutMs: 30 })),
    ...offerRemote(await connected(other, legacy)),
  ]);
  const remote = await connected(outer, legacy);
  const seen: unknown[] = [];
  resources(remote)
    .watch('test://v')
    .subscribe(([value]) => seen.push(value?.text));
  await expect(once(tools(remote).call('hang'))).rejects.toMatchObject({ code: -31004, retryable: true });
  values$.next('2');
  await vi.waitFor(() => expect(seen.at(-1)).toBe('2'));
});

describe('two items with one name', () => {
  const collision = /"x".*"b" is left out/;

  it('the later server loses its own item, with one fault that names both', async () => {
    const more$ = new BehaviorSubject([tool('x', () => 'b')] as ReturnType<typeof tool>[]);
    const outer = served('gateway', [
      ...offerRemote(await connected(served('a', one('x')), modern)),
      ...offerRemote(await connected(served('b', [offerTools(more$)]), modern)),
    ]);
    const remote = await connected(outer, modern);
    expect(await namesOf(remote)).toEqual(['x']);
    expect(await once(tools(remote).call('x'))).toMatchObject({ content: [{ text: 'x' }] });
    more$.next([tool('x', () => 'b'), tool('new', () => 'new')]);
    await vi.waitFor(async () => expect(await namesOf(remote)).toEqual(['x', 'new']));
    const faults = outer.faults.filter(({ code }) => code === 'INVALID_OFFER');
    expect(faults).toHaveLength(1);
    expect(faults[0]?.message).toMatch(/that of "a" stays/);
    expect(faults[0]?.message).toMatch(collision);
  });

  it('the own item of the gateway stays, wherever it is in the offers', async () => {
    const outer = served('gateway', [
      ...offerRemote(await connected(served('b', one('x')), modern)),
      offerTools([tool('x', () => 'own')]),
    ]);
    const remote = await connected(outer, modern);
    expect(await once(tools(remote).call('x'))).toMatchObject({ content: [{ text: 'own' }] });
    expect(outer.faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(/that of this server/),
    ]);
  });

  it('a prefix keeps both', async () => {
    const outer = served('gateway', [
      ...offerRemote(await connected(served('a', one('x')), modern), { prefix: 'a' }),
      ...offerRemote(await connected(served('b', one('x')), modern), { prefix: 'b' }),
    ]);
    expect(await namesOf(await connected(outer, modern))).toEqual(['a-x', 'b-x']);
    expect(outer.faults).toEqual([]);
  });
});

it.each([
  ['a remote', 'nothing' as never, {}, /expected a Remote/],
  ['a prefix', undefined, { prefix: 'a.b' }, /"a\.b" must be 1 to 32/],
  ['an option', undefined, { namespace: 'a' } as never, /prefix/],
])('throws a TypeError for %s that is invalid', async (_what, remote, options, message) => {
  const given = remote ?? (await connected(served('inner', []), modern));
  expect(() => offerRemote(given, options)).toThrow(message);
});
