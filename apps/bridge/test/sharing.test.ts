import { describe, expect, it, onTestFinished } from 'vitest';
import type { Remote } from 'rxmcp';
import { defineClient, defineServer, once, RpcError } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { resources } from 'rxmcp/resources';
import { offerRoots } from 'rxmcp/roots';
import { offerTools, text, tool, tools } from 'rxmcp/tools';
import type { Transport } from 'rxmcp/transport';
import { tap } from 'rxmcp/transport';
import { bridge } from 'rxmcp';
import { joins } from './joins.js';
import { answering, scene } from './scenes.js';
import { until } from './until.js';

const modern = '2026-07-28';

async function connected(front: Transport | undefined, client = answering(modern)): Promise<Remote> {
  const remote = await client.connect(front as Transport);
  onTestFinished(() => remote.close());
  return remote;
}
const textOf = async (remote: Remote, name: string, args = {}) =>
  (await once(tools(remote).call(name, args))).content
    .map((block) => block.type === 'text' && block.text)
    .join();

describe('many clients of one connection behind the bridge', () => {
  const two = async () => {
    const stage = scene();
    const behind = (await joins['memory']?.(stage.server, onTestFinished)) as Transport;
    const front = await joins['http']?.(bridge(behind), onTestFinished);
    const at = (name: string) =>
      connected(
        front,
        defineClient({
          info: { name, version: '1' },
          versions: [modern],
          offers: [offerRoots([{ uri: `file:///${name}` }])],
        }),
      );
    return { ...stage, a: await at('a'), b: await at('b') };
  };

  it('get their own responses and their own asks, whatever ids they use', async () => {
    const { a, b, server } = await two();
    const all = [a, b].flatMap((remote, who) =>
      Array.from({ length: 20 }, async (_, n) => [await textOf(remote, 'echo', { who, n }), who, n]),
    );
    for (const [response, who, n] of await Promise.all(all))
      expect(response).toBe(`{"who":${String(who)},"n":${String(n)}}`);
    expect(await Promise.all([a, b].map((remote) => textOf(remote, 'where')))).toEqual([
      'file:///a',
      'file:///b',
    ]);
    const open: number[] = [];
    server.connections$.subscribe((list) => open.push(list.length));
    expect(open).toEqual([1]);
  });

  it('have their own subscriptions, and one that leaves ends no other', async () => {
    const { a, b, value } = await two();
    const seen: Record<string, number> = { a: 0, b: 0 };
    const watch = (remote: Remote, who: string) =>
      resources(remote)
        .watch('v://now')
        .subscribe(() => (seen[who] = (seen[who] ?? 0) + 1));
    const first = watch(a, 'a');
    watch(b, 'b');
    await until(() => seen.a === 1 && seen.b === 1);
    value.next(2);
    await until(() => seen.a === 2 && seen.b === 2);
    first.unsubscribe();
    value.next(3);
    await until(() => seen.b === 3);
    expect(seen.a).toBe(2);
  });

  it('have their own progress, cancels and logs', async () => {
    const { a, b, torn } = await two();
    const hanging = tools(a).call('hang').subscribe();
    const kinds: string[] = [];
    await tools(b)
      .events('count', {}, { logLevel: 'debug' })
      .forEach(({ type }) => void kinds.push(type));
    expect(kinds).toEqual(['log', 'progress', 'progress', 'progress', 'result']);
    expect(torn).toEqual([]);
    hanging.unsubscribe();
    await until(() => torn.length === 1);
  });
});

describe('arguments that are repeated in headers of a call', () => {
  const input = (header: string) => ({
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': header } },
  });
  const place = tool('place', { input: input('Region') }, ({ region }) => text(`in ${String(region)}`));
  const behind = async () => {
    const server = defineServer({ info: { name: 's', version: '1' }, offers: [offerTools([place])] });
    return (await joins['http']?.(server, onTestFinished)) as Transport;
  };

  it('are made from the lists, for a client whose transport has no headers', async () => {
    const mirrors: unknown[] = [];
    const watched = tap(await behind(), (event) => {
      if (event.type === 'sent' && 'method' in event.message && event.message.method === 'tools/call')
        mirrors.push(event.options?.headers);
    });
    const remote = await connected(await joins['memory']?.(bridge(watched), onTestFinished));
    // Without a list the server misses them once, and the client does not notice.
    expect(await textOf(remote, 'place', { region: 'eu' })).toBe('in eu');
    expect(await textOf(remote, 'place', { region: 'us' })).toBe('in us');
    const beside = { version: modern, method: 'tools/call', name: 'place' };
    expect(mirrors).toEqual([
      beside,
      { ...beside, 'param.region': 'eu' },
      { ...beside, 'param.region': 'us' },
    ]);
  });

  it('pass from one side to the other, and are checked against the call where the server has no headers', async () => {
    const remote = await connected(await joins['http']?.(bridge(await behind()), onTestFinished));
    await once(tools(remote).list());
    expect(await textOf(remote, 'place', { region: 'eu' })).toBe('in eu');
    const link = memory();
    const serving = link.serve(
      defineServer({ info: { name: 's', version: '1' }, offers: [offerTools([place])] }),
    );
    onTestFinished(async () => void (await serving.close()));
    const there = await connected(await joins['http']?.(bridge(link), onTestFinished));
    expect(await once(tools(there).list())).toHaveLength(1);
    expect(await textOf(there, 'place', { region: 'eu' })).toBe('in eu');
    // Alone, the call lacks the headers that its list requires.
    const bare = once(there.request('tools/call', { name: 'place', arguments: { region: 'eu' } }));
    await expect(bare).rejects.toSatisfy((e) => RpcError.is(e) && e.code === -32020);
  });
});

it('a client that prefers the newest revision gets the newest that both carriers have', async () => {
  const { server } = scene();
  const there = (await joins['sse']?.(server, onTestFinished)) as Transport;
  const client = defineClient({ info: { name: 'c', version: '1' } });
  const remote = await connected(await joins['memory']?.(bridge(there), onTestFinished), client);
  expect(remote.version).toBe('2025-11-25');
  expect(await textOf(remote, 'echo', {})).toBe('{}');
});
