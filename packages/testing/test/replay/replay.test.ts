import type { JsonObject, Remote, Server } from '@rxmcp/core';
import { defineClient, defineServer, offerMethod, once, progressItem, RpcError } from '@rxmcp/core';
import { sendAsk, defineOffer } from '@rxmcp/core/internal';
import { memory } from '@rxmcp/memory';
import { NEVER, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../src/index.js';
import { record, replayAsClient, replayAsServer, ReplayError } from '../../src/index.js';

const roots = defineOffer({
  name: 'roots',
  side: 'client',
  capabilities: { roots: {} },
  methods: [{ method: 'roots/list', handle: () => ({ roots: [{ uri: 'file:///a' }] }) }],
});
const offers = (greeting = 'Hello'): Parameters<typeof defineServer>[0]['offers'] => [
  offerMethod('own/greet', {}, ({ name }) =>
    of(progressItem(1, 2), { said: `${greeting}, ${String(name)}!` }),
  ),
  offerMethod('own/never', {}, () => NEVER),
  offerMethod('own/fails', {}, () => {
    throw new RpcError(7, 'no');
  }),
  offerMethod('tools/call', {}, async (_params, ctx) => ({
    content: [],
    saw: await sendAsk(ctx, 'r', { method: 'roots/list', needs: { roots: {} } }),
  })),
];
const server = (greeting?: string): Server =>
  defineServer({ info: { name: 's', version: '1.0.0' }, offers: offers(greeting) });
const client = (version: string): ReturnType<typeof defineClient> =>
  defineClient({ info: { name: 'c', version: '1.0.0' }, offers: [roots], versions: [version] });

async function session(remote: Remote, name = 'Ada'): Promise<JsonObject[]> {
  const seen = [await once(remote.request('own/greet', { name }))];
  const never = remote.request('own/never').subscribe();
  await once(remote.request('own/fails')).catch(() => undefined);
  never.unsubscribe();
  seen.push(await once(remote.request('tools/call', { name: 'x', arguments: {} })));
  await remote.close();
  return seen;
}

/** Both ends of one session, as data that went through a file. */
async function taken(
  version: string,
): Promise<{ dialled: Recording; served: Recording; seen: JsonObject[] }> {
  const link = memory();
  const served = record(server());
  const serving = link.serve(served.recorded);
  const dialled = record(link);
  const seen = await session(await client(version).connect(dialled.recorded));
  await serving.close();
  const kept = (recording: Recording): Recording => JSON.parse(JSON.stringify(recording)) as Recording;
  return { dialled: kept(dialled.recording()), served: kept(served.recording()), seen };
}

describe.each(['2026-07-28', '2025-11-25', '2024-11-05'])('a recording at %s', (version) => {
  it('replays as the server that it was', async () => {
    const { dialled, seen } = await taken(version);
    for (const strict of [true, false]) {
      const { transport, done } = replayAsServer(dialled, { strict });
      expect(await session(await client(version).connect(transport))).toEqual(seen);
      await done;
    }
  });

  it('replays as the client that it was', async () => {
    const { served } = await taken(version);
    await replayAsClient(served, server());
    await replayAsClient(served, server(), { strict: false });
  });

  it('names the first difference of a client, which loses the connection', async () => {
    const { dialled } = await taken(version);
    const { transport, done } = replayAsServer(dialled);
    const failing = session(await client(version).connect(transport), 'Eve');
    await expect(failing).rejects.toThrow();
    const error: unknown = await done.catch((failed: unknown) => failed);
    expect(error).toBeInstanceOf(ReplayError);
    expect(error).toMatchObject({ code: 'FRAME_DIFFERS', path: 'params.name', actual: 'Eve' });
    expect(dialled.frames[(error as ReplayError).index]).toMatchObject({ message: { method: 'own/greet' } });
  });

  it('names the first difference of a server', async () => {
    const { served } = await taken(version);
    const error: unknown = await replayAsClient(served, server('Good day')).catch(
      (failed: unknown) => failed,
    );
    expect(error).toMatchObject({
      code: 'FRAME_DIFFERS',
      path: 'result.said',
      expected: 'Hello, Ada!',
      actual: 'Good day, Ada!',
      message: expect.stringContaining(
        'result.said: "Hello, Ada!" was recorded, "Good day, Ada!" came',
      ) as string,
    });
  });

  it('names the missing frames when a client leaves early', async () => {
    const { dialled } = await taken(version);
    const { transport, done } = replayAsServer(dialled);
    const remote = await client(version).connect(transport);
    await once(remote.request('own/greet', { name: 'Ada' }));
    await remote.close();
    await expect(done).rejects.toMatchObject({
      code: 'FRAME_MISSING',
      path: '',
      expected: { method: 'own/never' },
    });
  });
});

describe('a lenient replay', () => {
  it('takes frames in any order, and more than was recorded', async () => {
    const version = '2025-11-25';
    const link = memory();
    const serving = link.serve(server());
    const wire = record(link);
    const before = await client(version).connect(wire.recorded);
    await Promise.all(['a', 'b', 'c'].map((name) => once(before.request('own/greet', { name }))));
    await before.close();
    await serving.close();
    for (const strict of [false, true]) {
      const { transport, done } = replayAsServer(wire.recording(), { strict });
      const remote = await client(version).connect(transport);
      await remote.notify('notifications/own');
      const all = Promise.all(
        ['c', 'a', 'b'].map((name) => once(remote.request('own/greet', { name, more: 1 }))),
      );
      if (strict) {
        await expect(all).rejects.toThrow();
        await expect(done).rejects.toMatchObject({ code: 'FRAME_DIFFERS' });
        await remote.close();
      } else {
        expect((await all).map(({ said }) => said)).toEqual(['Hello, c!', 'Hello, a!', 'Hello, b!']);
        await remote.close();
        await done;
      }
    }
  });
});
