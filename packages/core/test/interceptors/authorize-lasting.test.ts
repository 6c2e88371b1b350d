import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/index.js';
import { once } from '../../src/index.js';
import type { ItemKind } from '../../src/interceptors/index.js';
import { authorize } from '../../src/interceptors/index.js';
import { joined, rawClient } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';
import { resources, tools } from './offered.js';
import { eras, pair } from './pair.js';

const hiding = authorize({ allow: (_caller, _kind, item) => !item.startsWith('hidden') });
const many = (count: number) => Array.from({ length: count }, (_, at) => `hidden${at}`);

describe.each(eras)('%s: a list with much that is hidden', (_era, version) => {
  const list = async (count: number) => {
    const offers = [tools([...many(count), 'seen'], 1)];
    const { remote, serverFaults } = await pair(version, { offers, interceptors: [hiding] });
    return { end: await once(remote.request('tools/list')).catch((error: unknown) => error), serverFaults };
  };

  it('finds the visible entries, however many pages are before', async () => {
    expect((await list(999)).end).toMatchObject({ tools: [{ name: 'seen' }] });
  });

  it('fails after a thousand pages, and reports the reason at the server only', async () => {
    const { end, serverFaults } = await list(1_000);
    expect(end).toMatchObject({ code: -32603 });
    expect(serverFaults).toMatchObject([{ code: 'HANDLER_FAILED' }]);
  });
});

describe('a policy that throws when a notification is sent', () => {
  let down = false;
  const allow = ({ principal }: Caller, _kind: ItemKind, _item: string): boolean => {
    if (down && principal === 'ada') throw new Error('policy down');
    return true;
  };
  const subscribe = { jsonrpc: '2.0' as const, id: 's' };

  it.each([
    [
      '2026-07-28',
      {
        ...subscribe,
        method: 'subscriptions/listen',
        params: {
          notifications: { resourceSubscriptions: ['x:/a'] },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    ],
    ['2025-11-25', { ...subscribe, method: 'resources/subscribe', params: { uri: 'x:/a' } }],
  ])('%s: withholds it, and other clients receive it', async (version, request) => {
    down = false;
    const { offer, changed } = resources(['x:/a']);
    const ada = rawClient([offer], { interceptors: [authorize({ allow })], traits: { principal: 'ada' } });
    const bob = joined(ada.server, { principal: 'bob' });
    for (const client of [ada, bob]) {
      if (version < '2026') await client.shake(version);
      client.put(request);
      await turn();
      await client.take();
    }
    down = true;
    changed('x:/a');
    await turn();
    expect((await bob.take()).map((frame) => frame.params?.['uri'])).toEqual(['x:/a']);
    expect(await ada.take()).toEqual([]);
  });
});
