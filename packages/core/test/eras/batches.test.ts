import { describe, expect, it } from 'vitest';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { offering, revisions } from '../rig/revisions.js';
import { turn } from '../rig/turn.js';

const modern = '2026-07-28';
const eraOf = (version: string) => (version === modern ? 'modern' : 'legacy');

describe('row 13: batches', () => {
  const entry = (id: number, method = 'x/echo') => ({ jsonrpc: '2.0', id, method });
  const echo = offering({ 'x/echo': () => ({}) });
  const alone = { idScope: 'lane', lanes: 'per-request' } as const;

  it('each entry is handled separately', async () => {
    const held = offering({ 'x/held': () => new Promise(() => undefined) });
    const client = rawClient([held], { limits: { maxConcurrentRequests: 1, maxQueuedRequests: 1 } });
    await client.shake('2025-03-26');
    await client.take();
    client.put([1, 2, 3, 4].map((id) => entry(id, 'x/held')));
    const frames = await client.take();
    expect(frames.map(({ id, error }) => [id, error?.code])).toEqual([
      [3, -31001],
      [4, -31001],
    ]);
  });

  it('one of 100 is accepted as a whole, and each entry that is not a message gets its own error', async () => {
    const client = rawClient([echo]);
    await client.shake('2025-03-26');
    await client.take();
    client.put([...Array.from({ length: 98 }, (_, at) => entry(at)), 7, { jsonrpc: '2.0', id: 98 }]);
    const frames = await client.take();
    expect(frames.filter(({ result }) => result !== undefined)).toHaveLength(98);
    expect(frames.slice(98).map(({ error }) => error?.code)).toEqual([-32600, -32600]);
  });

  it('are accepted without a session, where the carrier has checked the revision', async () => {
    const client = rawClient([echo], { traits: alone });
    client.putOn([entry(1), entry(2)], { lane: {}, version: '2025-03-26' });
    expect((await client.take()).map(({ id, result }) => [id, result])).toEqual([
      [1, {}],
      [2, {}],
    ]);
  });

  it.each([
    ['another era', [{ ...entry(1), params: { _meta: modernMeta() } }]],
    ['an opening', [entry(1), { ...entry(2, 'initialize'), params: {} }]],
  ])('with %s are not accepted without a session either', async (_what, entries) => {
    const client = rawClient([echo], { traits: alone });
    client.putOn(entries, { lane: {}, version: '2025-03-26' });
    expect(await client.take()).toMatchObject([{ error: { code: -32600 } }]);
  });

  it('are rejected where the carrier reports another revision', async () => {
    const client = rawClient([echo], { traits: alone });
    client.putOn([entry(1), entry(2)], { lane: {}, version: '2025-06-18' });
    expect(await client.take()).toMatchObject([{ error: { code: -32600 } }]);
  });

  it('are rejected by a server that does not speak that revision', async () => {
    const client = rawClient([echo], { traits: alone, versions: ['2025-06-18', modern] });
    client.putOn([entry(1)], { lane: {} });
    expect(await client.take()).toMatchObject([{ error: { code: -32600 } }]);
  });

  it.each([
    ['more than 100', (told: object) => Array.from({ length: 101 }, () => told)],
    ['a batch in it', (told: object) => [told, [told]]],
  ])('of a server with %s are rejected', async (_what, batched) => {
    const server = rawServer(
      ({ id, method }, wire) => {
        if (method === 'x/y') wire.put(batched({ jsonrpc: '2.0', id, result: { fine: true } }));
        return undefined;
      },
      { era: 'legacy', version: '2025-03-26' },
    );
    const remote = await connected(server);
    const faults: string[] = [];
    remote.faults$.subscribe(({ code }) => faults.push(code));
    let result: unknown;
    remote.request('x/y').subscribe({ next: (value) => (result = value), error: () => undefined });
    await turn();
    expect([result, faults]).toEqual([undefined, ['INVALID_MESSAGE']]);
  });

  it.each(revisions)('sent by a server of %s', async (version) => {
    const server = rawServer(
      ({ id, method }, wire) => {
        const told = { progressToken: id, progress: 1 };
        const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: told };
        if (method === 'x/y') wire.put([progress, { jsonrpc: '2.0', id, result: { fine: true } }]);
        return undefined;
      },
      { era: eraOf(version), version },
    );
    const remote = await connected(server);
    const faults: string[] = [];
    remote.faults$.subscribe(({ code }) => faults.push(code));
    let result: unknown;
    remote.request('x/y').subscribe({ next: (value) => (result = value), error: () => undefined });
    await turn();
    expect(result).toEqual(version === '2025-03-26' ? { fine: true } : undefined);
    expect(faults).toEqual(version === '2025-03-26' ? [] : ['INVALID_MESSAGE']);
  });
});
