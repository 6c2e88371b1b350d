import { expect, it } from 'vitest';
import { defineServer, offerMethod, once } from '../../src/index.js';
import type { CacheHints } from '../../src/index.js';
import { cursorOf } from '../../src/offers/list-pages.js';
import { rawClient } from '../rig/raw-client.js';
import { resources, tools } from './offered.js';
import { eras, pair } from './pair.js';

it.each(eras)(
  '%s: hints are sent with the results of their method, in revisions that have them',
  async (_era, version) => {
    const { offer } = resources(['x:/a']);
    const offers = [
      offer,
      tools(['a', 'b', 'c'], 2),
      offerMethod('prompts/list', {}, () => ({ prompts: [], ttlMs: 7 })),
    ];
    const cacheHints = {
      'tools/list': { ttlMs: 1_000, scope: 'public' },
      'prompts/list': { ttlMs: 5 },
      'resources/read': { ttlMs: 50 },
    } as const;
    const { remote } = await pair(version, { offers, cacheHints });
    const of = async (method: string, params = {}) => {
      const { ttlMs, cacheScope } = await once(remote.request(method, params));
      return [ttlMs, cacheScope];
    };
    const seen = [
      await of('tools/list'),
      await of('tools/list', { cursor: cursorOf('tools/list', { after: 'b' }) }),
      await of('prompts/list'),
      await of('resources/read', { uri: 'x:/a' }),
      await of('resources/list'),
    ];
    const modern = [
      [1_000, 'public'],
      [1_000, 'public'],
      [7, 'private'],
      [50, 'private'],
      [0, 'private'],
    ];
    expect(seen).toEqual(version < '2026' ? modern.map(() => [undefined, undefined]) : modern);
  },
);

it('the greeting of the modern era has its hint too, and nothing by default', async () => {
  const kept = async (cacheHints: CacheHints) => {
    const { ttlMs, cacheScope } =
      (await rawClient([], { cacheHints }).modern(1, 'server/discover')).result ?? {};
    return [ttlMs, cacheScope];
  };
  expect(await kept({})).toEqual([0, 'private']);
  expect(await kept({ 'server/discover': { ttlMs: 3_600_000, scope: 'public' } })).toEqual([
    3_600_000,
    'public',
  ]);
});

it.each([
  { 'server/discover': { ttlMs: -1 } },
  { 'tools/call': {} },
  { 'tools/list': { ttlMs: -1 } },
  { 'tools/list': { ttlMs: 1.5 } },
  { 'tools/list': { scope: 'all' } },
])('%j is not a hint', (cacheHints) => {
  const describe = () =>
    defineServer({
      info: { name: 's', version: '1' },
      offers: [tools(['a'])],
      cacheHints: cacheHints as never,
    });
  expect(describe).toThrow(TypeError);
});
