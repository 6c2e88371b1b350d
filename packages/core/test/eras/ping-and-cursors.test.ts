import { describe, expect, it } from 'vitest';
import { once } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { legacy, revisions, speaking } from '../rig/revisions.js';
import { turn } from '../rig/turn.js';

const modern = '2026-07-28';
const eraOf = (version: string) => (version === modern ? 'modern' : 'legacy');

describe('ping', () => {
  it.each(legacy)('is answered by both sides of %s', async (version) => {
    const { client, ask } = await speaking(version, { 'tools/call': (_params, ctx) => ctx.request('ping') });
    expect((await ask('ping')).result).toEqual({});
    client.put({ jsonrpc: '2.0', id: 'call', method: 'tools/call' });
    const ping = (await client.take()).find(({ method }) => method === 'ping');
    client.put({ jsonrpc: '2.0', id: ping?.id, result: {} });
    expect(await client.take()).toMatchObject([{ id: 'call', result: {} }]);

    const server = rawServer(() => undefined, { era: 'legacy', version });
    await connected(server);
    server.pipes[0]?.put({ jsonrpc: '2.0', id: 0, method: 'ping' });
    await turn();
    expect(server.calls().at(-1)).toEqual({ jsonrpc: '2.0', id: 0, result: {} });
  });

  it('is unknown to a server of 2026-07-28, which sends none either', async () => {
    const { ask } = await speaking(modern, { 'tools/call': (_params, ctx) => ctx.request('ping') });
    expect((await ask('ping')).error?.code).toBe(-32601);
    expect((await ask('tools/call')).error?.code).toBe(-31002);
  });
});

describe.each(revisions)('row 51: cursors in %s', (version) => {
  it('"" is one that a client sends on', async () => {
    const cursors: unknown[] = [];
    const server = rawServer(
      ({ method, params }) => {
        if (method !== 'tools/list') return undefined;
        cursors.push(params?.['cursor']);
        const nextCursor = ['', '0', undefined][cursors.length - 1];
        return { result: { tools: [cursors.length], ...(nextCursor === undefined ? {} : { nextCursor }) } };
      },
      { era: eraOf(version), version, capabilities: { tools: {} } },
    );
    const pages = getRemoteLink(await connected(server)).pages<unknown>({
      method: 'tools/list',
      member: 'tools',
      capability: 'tools',
      decode: (entry) => entry,
    });
    expect(await once(pages)).toEqual([1, 2, 3]);
    expect(cursors).toEqual([undefined, '', '0']);
  });

  it('"" and "0" reach the offer that lists', async () => {
    const { ask } = await speaking(version, {
      'tools/list': ({ cursor }) => ({ tools: [], given: cursor, nextCursor: '' }),
    });
    for (const cursor of ['', '0', 'x']) {
      const { result } = await ask('tools/list', { cursor });
      expect(result).toMatchObject({ given: cursor, nextCursor: '' });
    }
  });
});

describe('row 48: a cancel that a server sends', () => {
  it.each(legacy)(
    "of nothing, of something finished, or of the server's own call is ignored: %s",
    async (version) => {
      const server = rawServer(({ method }) => (method === 'x/y' ? { result: { fine: true } } : undefined), {
        era: 'legacy',
        version,
      });
      const remote = await connected(server);
      const faults: string[] = [];
      remote.faults$.subscribe(({ code }) => faults.push(code));
      const [wire] = server.pipes;
      wire?.put({ jsonrpc: '2.0', id: 5, method: 'ping' });
      for (const requestId of [5, 1, 2, 99, '', null, {}])
        wire?.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
      wire?.put({ jsonrpc: '2.0', method: 'notifications/cancelled' });
      expect(await once(remote.request('x/y'))).toMatchObject({ fine: true });
      expect(faults).toEqual([]);
    },
  );
});
