import type { JsonObject } from '@rxmcp/core';
import { RxmcpError, once, progressItem, RpcError } from '@rxmcp/core';
import { sendAsk, defineOffer, getRemoteLink } from '@rxmcp/core/internal';
import { NEVER, of } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FakeRemoteOptions, FakeRemote, Script } from '../../src/index.js';
import { fakeRemote } from '../../src/index.js';

const open: FakeRemote[] = [];

beforeEach(() => void vi.useFakeTimers());

afterEach(async () => {
  vi.useRealTimers();
  for (const fake of open.splice(0)) await fake.close();
});

async function made(script: Script, options: FakeRemoteOptions = {}): Promise<FakeRemote> {
  const fake = await fakeRemote(script, options);
  open.push(fake);
  return fake;
}

// Notices that change much in one tick are one, which takes a timer of 0 ms.
const settled = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(5));

describe.each(['2026-07-28', '2025-11-25', '2024-11-05'])('a fake remote at %s', (version) => {
  it('answers as scripted and keeps the requests', async () => {
    const { remote, calls } = await made(
      { 'tools/call': ({ name }) => ({ content: [], said: name }) },
      { version },
    );
    expect(remote.version).toBe(version);
    expect(await once(remote.request('tools/call', { name: 'greet' }))).toMatchObject({ said: 'greet' });
    expect(calls).toEqual([{ method: 'tools/call', params: { name: 'greet' } }]);
  });

  it('passes errors and reports of the script', async () => {
    const fake = await made(
      {
        'own/breaks': () => {
          throw new Error('a bug');
        },
        'own/fails': () => {
          throw new RpcError(7, 'no', { why: 1 });
        },
        'own/reports': () => of(progressItem(1, 2), progressItem(2, 2), { done: true }),
      },
      { version },
    );
    const { remote } = fake;
    const faults: string[] = [];
    fake.serverFaults$.subscribe(({ message }) => faults.push(message));
    await expect(once(remote.request('own/breaks'))).rejects.toMatchObject({ code: -32603 });
    expect(faults.join()).toContain('a bug');
    await expect(once(remote.request('own/fails'))).rejects.toMatchObject({
      code: 7,
      message: 'no',
      data: { why: 1 },
    });
    await expect(once(remote.request('own/unknown'))).rejects.toMatchObject({ code: -32601 });
    const events: JsonObject[] = [];
    const decode = (result: JsonObject): unknown => result.done;
    await getRemoteLink(remote)
      .events({ method: 'own/reports', decode })
      .forEach((event) => void events.push(event as never));
    expect(events.at(0)).toMatchObject({ type: 'progress' });
    expect(events.at(-1)).toEqual({ type: 'result', result: true });
  });

  it('tears the script down on unsubscribe', async () => {
    let gone = false;
    const { remote, calls } = await made(
      {
        'own/never': (_params, ctx) => {
          ctx.signal.addEventListener('abort', () => (gone = true));
          return NEVER;
        },
      },
      { version },
    );
    const call = remote.request('own/never').subscribe();
    await settled();
    expect(calls).toHaveLength(1);
    expect(gone).toBe(false);
    call.unsubscribe();
    await settled();
    expect(gone).toBe(true);
  });

  it('sends changes to their followers', async () => {
    let list = ['a'];
    const fake = await made({ 'tools/list': () => ({ tools: list }) }, { version });
    const read = () => fake.remote.request('tools/list');
    const seen: unknown[] = [];
    const following = getRemoteLink(fake.remote)
      .live('tools', [{ list: 'tools' }], read)
      .subscribe((result) => seen.push(result.tools));
    await settled();
    list = ['a', 'b'];
    fake.emit('notifications/tools/list_changed');
    fake.emit('notifications/prompts/list_changed');
    await settled();
    following.unsubscribe();
    expect(seen).toEqual([['a'], ['a', 'b']]);
  });

  it('reports a changed resource, or one below it, to its watchers', async () => {
    let reads = 0;
    const fake = await made({ 'resources/read': () => ({ contents: [], n: (reads += 1) }) }, { version });
    const read = () => fake.remote.request('resources/read', { uri: 'file:///a' });
    const following = getRemoteLink(fake.remote)
      .live('a', [{ uri: 'file:///a' }], read)
      .subscribe();
    await settled();
    const before = reads;
    const told: string[] = [];
    const listening = fake.remote.wire$.subscribe(({ message }) => {
      const { method, params } = message as JsonObject;
      if (method === 'notifications/resources/updated') told.push((params as { uri: string }).uri);
    });
    fake.emit('notifications/resources/updated', { uri: 'file:///abc' });
    await settled();
    expect(reads).toBe(before);
    fake.emit('notifications/resources/updated', { uri: 'file:///a/b' });
    await settled();
    expect(reads).toBe(before + 1);
    expect(told).toEqual(['file:///a/b']);
    listening.unsubscribe();
    following.unsubscribe();
  });

  it('lets any notification arrive', async () => {
    const fake = await made({}, { version });
    const incoming: unknown[] = [];
    fake.remote.wire$.subscribe(({ direction, message }) => direction === 'in' && incoming.push(message));
    const faults: string[] = [];
    fake.remote.faults$.subscribe(({ code }) => faults.push(code));
    fake.emit('notifications/own', { a: 1 });
    await settled();
    expect(incoming).toEqual([{ jsonrpc: '2.0', method: 'notifications/own', params: { a: 1 } }]);
    expect(faults).toEqual(['UNKNOWN_NOTIFICATION']);
  });

  it('lets the script ask for what the client offers', async () => {
    // Sealing the state of an ask starts no timer.
    vi.useRealTimers();
    const roots = defineOffer({
      name: 'roots',
      side: 'client',
      capabilities: { roots: {} },
      methods: [{ method: 'roots/list', handle: () => ({ roots: [{ uri: 'file:///a' }] }) }],
    });
    const script: Script = {
      'tools/call': async (_params, ctx) => ({
        answer: await sendAsk(ctx, 'r', { method: 'roots/list', needs: { roots: {} } }),
      }),
    };
    const { remote } = await made(script, { version, offers: [roots] });
    const result = await once(remote.request('tools/call', { name: 'x' }));
    expect(result.answer).toMatchObject({ roots: [{ uri: 'file:///a' }] });
  });

  it('isolates what both sides hold', async () => {
    const response = { list: [1] };
    const { remote } = await made({ 'own/list': () => response }, { version });
    const got = await once(remote.request('own/list'));
    (got.list as number[]).push(2);
    expect(response).toEqual({ list: [1] });
  });

  it('ends its streams when it is closed, and its calls too', async () => {
    const fake = await made({ 'own/never': () => NEVER }, { version });
    const states: string[] = [];
    let over = false;
    fake.remote.status$.subscribe({ next: ({ state }) => states.push(state), complete: () => (over = true) });
    const call = once(fake.remote.request('own/never'));
    const failed = expect(call).rejects.toSatisfy((error) => RxmcpError.is(error, 'CLOSED'));
    await settled();
    await fake.close();
    await failed;
    expect([states, over]).toEqual([['open', 'closed'], true]);
  });
});

describe('the capabilities of a fake remote', () => {
  it('follows from its methods', async () => {
    const { remote } = await made({
      'tools/call': () => ({}),
      'resources/read': () => ({}),
      'own/x': () => ({}),
    });
    expect(remote.capabilities).toEqual({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      logging: {},
    });
  });

  it('can be set', async () => {
    const { remote } = await made({ 'tools/call': () => ({}) }, { capabilities: { tools: {} } });
    expect(remote.capabilities).toEqual({ tools: {} });
  });
});

describe('virtual time', () => {
  it('does not hold messages up, and ends a call that is too slow', async () => {
    const { remote } = await made(
      { 'own/never': () => NEVER, 'own/now': () => ({ ok: 1 }) },
      { version: '2025-11-25' },
    );
    expect(await once(remote.request('own/now'))).toMatchObject({ ok: 1 });
    const slow = expect(
      once(remote.request('own/never', {}, { idleTimeoutMs: 5_000 })),
    ).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
    await vi.advanceTimersByTimeAsync(5_000);
    await slow;
  });
});
