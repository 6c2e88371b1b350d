import type { RemoteStatus } from 'rxmcp';
import { once } from 'rxmcp';
import { offerRoots } from 'rxmcp/roots';
import { tools } from 'rxmcp/tools';
import { firstValueFrom, filter } from 'rxjs';
import { expect, vi } from 'vitest';
import { cutting } from '../matrix/cutting.js';
import { each, servedBy } from '../matrix/harness.js';

const server = 'asking';

each(
  'the lifecycle begins with a handshake: initialize, its answer, initialized, then traffic',
  { server, era: 'legacy' },
  async (cell) => {
    const { remote, sent, received } = await cell.connect();
    await once(tools(remote).list());
    expect(sent.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
    expect(sent[0]).toMatchObject({
      params: {
        protocolVersion: cell.version,
        capabilities: {},
        clientInfo: { name: 'desk', version: '1.0.0' },
      },
    });
    expect(received[0]).toMatchObject({
      id: sent[0]?.['id'],
      result: { protocolVersion: cell.version, serverInfo: { name: 'asking' }, capabilities: { tools: {} } },
    });
  },
);

each(
  'there is no handshake since 2026-07-28: every request names its client',
  { server, era: 'modern' },
  async (cell) => {
    const { remote, sent, received } = await cell.connect();
    await once(tools(remote).list());
    expect(sent.map(({ method }) => method)).toEqual(['server/discover', 'tools/list']);
    for (const { params } of sent) {
      expect((params as { _meta: unknown })._meta).toMatchObject({
        'io.modelcontextprotocol/protocolVersion': cell.version,
        'io.modelcontextprotocol/clientInfo': { name: 'desk' },
        'io.modelcontextprotocol/clientCapabilities': {},
      });
    }
    expect(received).toMatchObject([
      { result: { resultType: 'complete' } },
      { result: { resultType: 'complete' } },
    ]);
  },
);

each(
  'either side asks and either side answers',
  { server, needs: { clientReplies: true } },
  async ({ connect }) => {
    const uri = `file:///${Math.random()}`;
    const { remote } = await connect({ offers: [offerRoots([{ uri }])] });
    const { content } = await once(tools(remote).call('workspace'));
    expect(JSON.stringify(content)).toContain(uri);
  },
);

each('the lifecycle ends by close', { server }, async ({ connect }) => {
  const { remote } = await connect();
  const states: RemoteStatus[] = [];
  let completed = false;
  remote.status$.subscribe({ next: (status) => states.push(status), complete: () => (completed = true) });
  await remote.close();
  await remote.close();
  expect(states.map(({ state }) => state)).toEqual(['open', 'closed']);
  expect(states.at(-1)).not.toHaveProperty('cause');
  expect(completed).toBe(true);
  await expect(once(tools(remote).list())).rejects.toMatchObject({ code: 'CLOSED' });
});

each(
  'the lifecycle ends by a lost connection: calls end, and the remote dials once more',
  { server },
  async ({ connect, place }) => {
    const cut = cutting(place.transport);
    const { remote } = await connect({ transport: cut.transport });
    const states: string[] = [];
    const following = remote.status$.subscribe(({ state }) => states.push(state));
    const hanging = once(tools(remote).call('workspace'));
    const ended = expect(hanging).rejects.toMatchObject({ outcome: 'unknown' });
    await cut.lose();
    await ended;
    await vi.waitFor(() => expect(states).toEqual(['open', 'reconnecting', 'open']));
    following.unsubscribe();
    expect((await once(tools(remote).list())).length).toBeGreaterThan(0);
  },
);

each(
  'the lifecycle ends by a lost connection that cannot be dialled again, with its cause',
  { server },
  async ({ connect, place }) => {
    const cut = cutting(place.transport);
    const { remote } = await connect({ transport: cut.transport });
    const closed = firstValueFrom(remote.status$.pipe(filter(({ state }) => state === 'closed')));
    cut.refuse();
    await cut.lose();
    expect(await closed).toMatchObject({ state: 'closed', cause: expect.any(Error) as Error });
  },
);

each('a host holds several servers at a time, one connection each', { server }, async (cell) => {
  const other = await servedBy(cell.carrier, 'toolbox');
  const one = await cell.connect();
  const two = await cell.connect({ transport: other.transport });
  expect([one.remote.info?.name, two.remote.info?.name]).toEqual(['asking', 'example-tools-server']);
  await one.remote.close();
  expect(await once(tools(two.remote).call('calculate_sum', { a: 3, b: 4 }))).toMatchObject({
    content: [{ text: '7' }],
  });
});
