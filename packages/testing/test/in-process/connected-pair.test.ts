import { offerMethod, once, RpcError } from '@rxmcp/core';
import { sendAsk, defineOffer } from '@rxmcp/core/internal';
import { memory } from '@rxmcp/memory';
import { defer, finalize, NEVER } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TestLink } from '../../src/index.js';
import { connectedPair } from '../../src/index.js';

const links: Record<string, () => TestLink | undefined> = { microtasks: () => undefined, memory };
const ways = ['2026-07-28', '2025-11-25', '2024-11-05'].flatMap((version) =>
  Object.keys(links).map((name) => [version, name] as const),
);
const over = (name: string): { link?: TestLink } => {
  const link = links[name]?.();
  return link === undefined ? {} : { link };
};
const roots = defineOffer({
  name: 'roots',
  side: 'client',
  capabilities: { roots: {} },
  methods: [{ method: 'roots/list', handle: () => ({ roots: [{ uri: 'file:///a' }] }) }],
});

describe.each(ways)('a pair at %s over %s', (version, name) => {
  it('joins what both sides offer', async () => {
    const { remote, run } = await connectedPair({
      version,
      ...over(name),
      server: [offerMethod('own/echo', {}, (params) => ({ said: params.say }))],
      client: [roots],
      handler: (ctx) => sendAsk(ctx, 'r', { method: 'roots/list', needs: { roots: {} } }),
      onCleanup: onTestFinished,
    });
    expect(remote.version).toBe(version);
    expect(await once(remote.request('own/echo', { say: 'hi' }))).toMatchObject({ said: 'hi' });
    expect(await run()).toMatchObject({ roots: [{ uri: 'file:///a' }] });
  });

  it('keeps the faults of both sides', async () => {
    const made = await connectedPair({
      version,
      ...over(name),
      handler: () => {
        throw new Error('a bug');
      },
      onCleanup: onTestFinished,
    });
    await expect(made.run()).rejects.toMatchObject({ code: -32603 });
    expect(made.serverFaults).toMatchObject([{ code: 'HANDLER_FAILED' }]);
    expect(made.clientFaults).toEqual([]);
  });

  it('keeps the faults of closing', async () => {
    let isAsked = false;
    const endless = defer(() => {
      isAsked = true;
      return NEVER;
    }).pipe(
      finalize(() => {
        throw new Error('a bug');
      }),
    );
    const made = await connectedPair({
      version,
      ...over(name),
      server: [offerMethod('own/endless', {}, () => endless)],
    });
    const ended = once(made.remote.request('own/endless')).catch(({ code }: { code: string }) => code);
    await expect.poll(() => isAsked).toBe(true);
    await made.close();
    expect(await ended).toBe('CLOSED');
    expect(made.serverFaults).toMatchObject([{ code: 'HANDLER_FAILED' }]);
  });

  it('closes both at the end, and once', async () => {
    let close: (() => Promise<void>) | undefined;
    const made = await connectedPair({ version, ...over(name), onCleanup: (given) => (close = given) });
    let open = -1;
    made.server.connections$.subscribe((connections) => (open = connections.length));
    await expect.poll(() => open).toBe(1);
    await Promise.all([close?.(), made.close()]);
    await expect.poll(() => open).toBe(0);
    await expect(once(made.remote.request('own/late'))).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

it('has no handler unless there is one', async () => {
  await using pair = await connectedPair();
  await expect(pair.run()).rejects.toSatisfy((error) => RpcError.is(error) && error.code === -32601);
});

it('leaves nothing served when the client cannot connect', async () => {
  const link = memory();
  const options = { link, client: [offerMethod('own/x', {}, () => ({}))] };
  await expect(connectedPair({ ...options, version: '1999-01-01' })).rejects.toThrow(TypeError);
  const { remote } = await connectedPair({ link, onCleanup: onTestFinished });
  expect(remote.version).toBe('2026-07-28');
});
