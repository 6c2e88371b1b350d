import { BehaviorSubject, Subject } from 'rxjs';
import { expect, it } from 'vitest';
import type { Interceptor } from '../../src/index.js';
import { offerMethod, once } from '../../src/index.js';
import { sendAsk, defineOffer, getRemoteLink } from '../../src/internal.js';
import { cache } from '../../src/interceptors/index.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { turn, until } from '../rig/turn.js';
import { tools } from './offered.js';
import { eras, pair } from './pair.js';

const spec = {
  method: 'tools/list',
  member: 'tools',
  capability: 'tools',
  decode: (entry: unknown) => (entry as { name: string }).name,
};

it.each(eras)('%s: lists are stored until the server sends that they changed', async (_era, version) => {
  const names = new BehaviorSubject(['a', 'b', 'c']);
  const requests: unknown[] = [];
  const noting: Interceptor = ({ params }, next) => (requests.push(params.cursor), next());
  const server = {
    offers: [tools(names, 2)],
    interceptors: [noting],
    cacheHints: { 'tools/list': { ttlMs: 60_000 } },
  };
  const { remote } = await pair(version, server, { interceptors: [cache()] });
  const list = () => once(getRemoteLink(remote).pages(spec));
  expect([await list(), await list()]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]);
  const pages = requests.length;
  // An older revision has no word of caching.
  expect(pages).toBe(version < '2026' ? 4 : 2);
  // Without a follower of the list no change is reported; a new follower must not get what is stored.
  names.next(['e']);
  await turn();
  const live: unknown[] = [];
  getRemoteLink(remote)
    .live('tools', [{ list: 'tools' }], () => getRemoteLink(remote).pages(spec))
    .subscribe((value) => live.push(value));
  await until(() => live.length === 1);
  expect(live[0]).toEqual(['e']);
  names.next(['a', 'd']);
  await until(() => live.length === 2);
  expect(live[1]).toEqual(['a', 'd']);
  expect(await list()).toEqual(['a', 'd']);
});

it('a read that asked its caller is not stored', async () => {
  let runs = 0;
  const read = defineOffer({
    name: 'resources',
    side: 'server',
    capabilities: { resources: {} },
    methods: [
      {
        method: 'resources/read',
        handle: async ({ uri }, ctx) => {
          if (uri === 'x:/asks') await sendAsk(ctx, 'a', { method: 'roots/list', needs: { roots: {} } });
          return { contents: [], n: ++runs, ttlMs: 60_000 };
        },
      },
    ],
  });
  const roots = defineOffer({
    name: 'roots',
    side: 'client',
    capabilities: { roots: {} },
    methods: [{ method: 'roots/list', handle: () => ({ roots: [] }) }],
  });
  const { remote } = await pair(
    '2026-07-28',
    { offers: [read] },
    { offers: [roots], interceptors: [cache()] },
  );
  const of = (uri: string) => once(remote.request('resources/read', { uri })).then(({ n }) => n);
  expect([await of('x:/asks'), await of('x:/asks'), await of('x:/a'), await of('x:/a')]).toEqual([
    1, 2, 3, 3,
  ]);
});

it('clears the cache on a new connection, since changes in between were not reported', async () => {
  let n = 0;
  const server = rawServer(() => ({ result: { tools: [], n: ++n, ttlMs: 60_000 } }));
  const remote = await connected(server, { interceptors: [cache()] });
  const list = () => once(remote.request('tools/list')).then((result) => result.n);
  expect([await list(), await list()]).toEqual([1, 1]);
  server.pipes[0]?.end(lost());
  await turn();
  expect(await list()).toBe(2);
});

it('a hit is never delivered inside subscribe, and one of the callers may cancel the shared request', async () => {
  const gate = new Subject<Record<string, unknown>>();
  const offers = [offerMethod('tools/list', {}, () => gate)];
  const { remote } = await pair('2026-07-28', { offers }, { interceptors: [cache()] });
  const seen: unknown[] = [];
  const first = remote.request('tools/list').subscribe(() => seen.push('first'));
  remote.request('tools/list').subscribe(() => seen.push('second'));
  await turn();
  first.unsubscribe();
  gate.next({ tools: [], ttlMs: 60_000 });
  await until(() => seen.length > 0);
  remote.request('tools/list').subscribe(() => seen.push('third'));
  expect(seen).toEqual(['second']);
  await turn();
  expect(seen).toEqual(['second', 'third']);
});
