import { defineClient, once } from '@rxmcp/core';
import { offerElicitation } from '@rxmcp/elicitation';
import { stdio } from '@rxmcp/stdio';
import { offerTools, textOf, tool, tools } from '@rxmcp/tools';
import { expect, it, onTestFinished, vi } from 'vitest';
import { bundled } from '../../../vitest.bundle.js';
import { offerRemote, relayAsks } from '../src/index.js';
import { connected, info, pairs, served } from './rig.js';

const program = await bundled(new URL('./fixtures/inner.ts', import.meta.url));

/** The server of the fixture, in a process that ends with the test. */
const child = () => stdio({ command: process.execPath, args: [program] });

it.each(pairs)('a server in a process, outer %s, inner %s', async (outerVersion, innerVersion) => {
  const client = defineClient({ info, versions: [innerVersion], offers: [relayAsks()] });
  const inner = await client.connect(child(), { timeoutMs: 25_000 });
  inner.faults$.subscribe();
  onTestFinished(() => inner.close());
  const own = offerTools([tool('own', () => 'own')]);
  const outer = served('gateway', [...offerRemote(inner, { prefix: 'p' }), own]);
  const user = offerElicitation(({ message }) => ({ action: 'accept', content: { size: message } }));
  const remote = await connected(outer, outerVersion, [user]);
  const { call, list } = tools(remote);
  expect((await once(list())).map(({ name }) => name)).toEqual(['p-pid', 'p-hang', 'p-size', 'own']);
  expect(JSON.parse(textOf(await once(call('p-size'))))).toMatchObject({
    content: { size: 'p: Size?' },
  });
  const pid = Number(textOf(await once(call('p-pid'))));
  const hanging = once(call('p-hang'));
  hanging.catch(() => undefined);
  await vi.waitFor(() => expect(inner.stats().inFlight).toBe(1));
  process.kill(pid, 'SIGKILL');
  await expect(hanging).rejects.toMatchObject({
    code: -31003,
    retryable: true,
    data: { code: 'CONNECTION_LOST', outcome: 'unknown' },
  });
  expect(textOf(await once(call('own')))).toBe('own');
  // The remote starts the process again.
  expect(Number(textOf(await once(call('p-pid'))))).not.toBe(pid);
});
