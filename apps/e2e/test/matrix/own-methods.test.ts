import { defineClient, offerMethod, offerNotification, once } from 'rxmcp';
import * as z from 'zod';
import { expect, onTestFinished, vi } from 'vitest';
import { each } from './harness.js';

const server = 'own-methods';

each(
  'a custom method is called, its parameters and its result are checked',
  { server },
  async ({ connect }) => {
    const { remote } = await connect();
    const call = (params: object, schema: z.ZodType): Promise<unknown> =>
      once(remote.request('example.com/double', { ...params }, { schema }));
    const value = Math.floor(Math.random() * 1_000);
    expect(await call({ value }, z.object({ doubled: z.number() }))).toEqual({ doubled: value * 2 });
    await expect(call({ value: '二' }, z.unknown())).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('"example.com/double"') as string,
    });
    await expect(call({ value }, z.object({ doubled: z.string() }))).rejects.toMatchObject({
      code: 'INVALID_RESULT',
    });
  },
);

each('custom notifications are sent both ways', { server }, async ({ connect }) => {
  const told: unknown[] = [];
  const { remote } = await connect({
    offers: [offerNotification('example.com/told', (params) => told.push(params))],
  });
  await remote.notify('example.com/ping', { times: 3 });
  expect(await once(remote.request('example.com/pings'))).toMatchObject({ pings: 3 });
  await once(remote.request('example.com/tell'));
  await vi.waitFor(() => expect(told).toMatchObject([{ 消息: '好' }]));
});

each(
  'a server calls a custom method of the client, until servers send no requests any more',
  { server, needs: { clientReplies: true } },
  async (cell) => {
    const colour = offerMethod('example.com/colour', {}, ({ of }) => ({ colour: `${String(of)} is blue` }));
    const { remote } = await cell.connect({ offers: [colour] });
    const answer = once(remote.request('example.com/back'));
    if (cell.era === 'modern')
      await expect(answer).rejects.toThrow('a server of this revision sends no requests');
    else expect(await answer).toMatchObject({ answer: { colour: 'sky is blue' } });
  },
);

each('experimental and extensions reach the other side', { server }, async ({ connect, place, version }) => {
  const { remote } = await connect();
  // In a handshake too: its maps of capabilities are open, though no older revision has a word for extensions.
  expect(remote.capabilities).toMatchObject({
    experimental: { 'example.com/tell': { level: 1 } },
    extensions: { 'com.example/double': { max: 10 } },
  });
  const declared = {
    experimental: { 'example.com/colour': { level: 2 } },
    extensions: { 'com.example/paint': { coats: 3 } },
  };
  const client = defineClient({
    info: { name: 'desk', version: '1.0.0' },
    versions: [version],
    ...declared,
  });
  const other = await client.connect(place.transport);
  onTestFinished(() => other.close());
  expect(await once(other.request('example.com/caller'))).toEqual({ declared });
});

each(
  'unknown requests get -32601, unknown notifications are counted',
  { server },
  async ({ connect, place }) => {
    const { remote } = await connect();
    await expect(once(remote.request('example.com/nothing'))).rejects.toMatchObject({ code: -32601 });
    await remote.notify('example.com/nobody-listens');
    await once(remote.request('example.com/pings'));
    await vi.waitFor(() => {
      expect(place.faults).toContainEqual({
        code: expect.any(String) as string,
        message: expect.stringContaining('example.com/nobody-listens') as string,
      });
    });
  },
);
