import { memory } from '@rxmcp/memory';
import { concat, firstValueFrom, interval, lastValueFrom, map, of, take, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { defineClient, defineServer, offerMethod, once, progressItem, RpcError } from '../../src/index.js';
import { defineOffer, getRemoteLink } from '../../src/internal.js';
import { askingTool } from '../rig/asking-tool.js';

const echo = offerMethod('test/echo', {}, (params) => ({ params }));
const count = offerMethod('test/count', {}, () =>
  concat(
    interval(1).pipe(
      take(3),
      map((i) => progressItem(i + 1, 3)),
    ),
    of({ counted: 3 }),
  ),
);
const tool = askingTool(async (ask) => ({ roots: await ask() }));
const roots = defineOffer({
  name: 'roots',
  side: 'client',
  capabilities: { roots: { listChanged: true } },
  methods: [{ method: 'roots/list', handle: () => ({ roots: [{ uri: 'file:///a' }] }) }],
});

const eras = [
  ['modern', '2026-07-28'],
  ['legacy', '2025-11-25'],
  ['legacy', '2024-11-05'],
] as const;

describe.each(eras)('%s %s', (era, version) => {
  async function pair() {
    const wire = memory();
    const handle = wire.serve(
      defineServer({ info: { name: 's', version: '1' }, offers: [echo, count, tool] }),
    );
    const remote = await defineClient({
      info: { name: 'c', version: '1' },
      offers: [roots],
      eras: [era],
      versions: [version],
    }).connect(wire);
    return { remote, handle };
  }

  it('opens, calls, reports progress, asks and closes', async () => {
    const { remote, handle } = await pair();
    expect(remote.version).toBe(version);
    expect(remote.info).toMatchObject({ name: 's' });
    const result = (await firstValueFrom(remote.request('test/echo', { a: 1 }))) as { params: { a: number } };
    expect(result.params.a).toBe(1);
    const events = await lastValueFrom(
      getRemoteLink(remote)
        .events({ method: 'test/count', decode: (r) => r.counted })
        .pipe(toArray()),
    );
    expect(events.map((e) => e.type)).toEqual(['progress', 'progress', 'progress', 'result']);
    expect(await once(remote.request('tools/call', { name: 'x' }))).toMatchObject({
      roots: { roots: [{ uri: 'file:///a' }] },
    });
    await expect(once(remote.request('test/none'))).rejects.toSatisfy(
      (e) => RpcError.is(e) && e.code === -32601,
    );
    await remote.close();
    await handle.close();
  });
});
