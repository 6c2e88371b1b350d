import { processMemory } from '@rxmcp/transport';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Remote } from '../../src/index.js';
import { once } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { leaving } from '../rig/leaving.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { roots } from '../rig/roots.js';
import { turn } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const budget = processMemory();
const kibibyte = 1024;
const capabilities = { tools: {} };
const ended = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).catch((error: unknown) => error);

const list = (remote: Remote) =>
  once(
    getRemoteLink(remote).pages({
      method: 'tools/list',
      member: 'tools',
      capability: 'tools',
      decode: (entry: unknown) => entry,
    }),
  );

describe('the memory of a client', () => {
  it('is not charged for a list that an observer of its faults cancels, and no further page is asked for', async () => {
    const before = budget.heldBytes;
    const server = rawServer(() => ({ result: { tools: [{ name: 'x'.repeat(10_000) }], nextCursor: 'a' } }), {
      capabilities,
    });
    const remote = await connected(server);
    const pages = getRemoteLink(remote).pages({
      method: 'tools/list',
      member: 'tools',
      capability: 'tools',
      decode: () => undefined,
    });
    const faults = vi.fn(() => subscription.unsubscribe());
    remote.faults$.subscribe(faults);
    const subscription = pages.subscribe();
    await turn();
    expect(faults).toHaveBeenCalledOnce();
    await remote.close();
    expect([budget.heldBytes, server.calls()]).toMatchObject([before, { length: 1 }]);
  });

  it('is charged for the pages of a list until the next list or the end, and refuses more than there is', async () => {
    const before = budget.heldBytes;
    const held: number[] = [];
    let pages = 3;
    const server = rawServer(
      ({ params }) => {
        held.push(budget.heldBytes - before);
        const at = Number(params?.['cursor'] ?? 0) + 1;
        const tools = [{ name: 'x'.repeat(10_000) }];
        return { result: { tools, ...(at < pages ? { nextCursor: String(at) } : {}) } };
      },
      { capabilities },
    );
    const remote = await connected(server);
    await list(remote);
    const each = 2 * (10_000 + 'name'.length + 3 * 32);
    expect(held).toEqual([0, each, 2 * each]);
    expect(budget.heldBytes).toBe(before + 3 * each);
    pages = 1;
    await list(remote);
    expect(budget.heldBytes).toBe(before + each);
    pages = 9;
    const giveBack = leaving(64 * kibibyte);
    expect(await ended(list(remote))).toMatchObject({
      code: 'OVERFLOW',
      outcome: 'answered',
      message: expect.stringContaining('"tools/list"') as string,
    });
    giveBack();
    expect(server.calls()).toHaveLength(3 + 1 + 4);
    expect(budget.heldBytes).toBe(before + each);
    await remote.close();
    expect(budget.heldBytes).toBe(before);
  });

  it('is released when a list is cancelled', async () => {
    const before = budget.heldBytes;
    let asked = 0;
    const server = rawServer(
      () => ((asked += 1) > 1 ? undefined : { result: { tools: ['x'.repeat(10_000)], nextCursor: 'b' } }),
      { capabilities },
    );
    const remote = await connected(server);
    const pages = getRemoteLink(remote).pages({
      method: 'tools/list',
      member: 'tools',
      capability: 'tools',
      decode: (entry: unknown) => entry,
    });
    const subscription = pages.subscribe();
    await turn();
    expect(budget.heldBytes).toBeGreaterThan(before + 20_000);
    subscription.unsubscribe();
    expect(budget.heldBytes).toBe(before);
  });

  it('is charged for asks and their state until they are answered, cancelled or refused', async () => {
    const before = budget.heldBytes;
    const answers: (() => void)[] = [];
    const requestState = 's'.repeat(50_000);
    const server = rawServer(({ params }) =>
      params?.['inputResponses'] === undefined
        ? {
            result: {
              resultType: 'input_required',
              requestState,
              inputRequests: { a: { method: 'roots/list', params: { bytes: 'x'.repeat(50_000) } } },
            },
          }
        : { result: {} },
    );
    const remote = await connected(server, {
      offers: [roots(() => new Promise((resolve) => answers.push(() => resolve({ roots: [] } as never))))],
    });
    const answered = ended(once(remote.request('tools/call')));
    await turn();
    expect(budget.heldBytes - before).toBeGreaterThan(200_000);
    answers[0]?.();
    await turn();
    expect(await answered).toEqual({});
    expect(budget.heldBytes).toBe(before);
    const cancelled = remote.request('tools/call').subscribe();
    await turn();
    expect(budget.heldBytes - before).toBeGreaterThan(200_000);
    cancelled.unsubscribe();
    expect(budget.heldBytes).toBe(before);
    const giveBack = leaving(128 * kibibyte);
    expect(await ended(once(remote.request('tools/call')))).toMatchObject({ code: 'OVERFLOW' });
    giveBack();
    expect(answers).toHaveLength(2);
    expect(budget.heldBytes).toBe(before);
  });

  it.each(['answered', 'cancelled', 'closed'] as const)(
    'is charged for the state of a server, which asks nothing, until the call is %s',
    async (end) => {
      const before = budget.heldBytes;
      let respond = (): void => undefined;
      const server = rawServer(({ id, params }, wire) => {
        if (params?.['requestState'] === undefined)
          return { result: { resultType: 'input_required', requestState: 's'.repeat(50_000) } };
        respond = () => wire.put({ jsonrpc: '2.0', id, result: {} });
        return undefined;
      });
      const remote = await connected(server);
      const call$ = remote.request('tools/call').subscribe({ error: () => undefined });
      const cancelled = remote.request('tools/call').subscribe({ error: () => undefined });
      await turn();
      expect(budget.heldBytes).toBe(before + 200_000);
      cancelled.unsubscribe();
      expect(budget.heldBytes).toBe(before + 100_000);
      // The server does not respond to the request that repeats the state.
      await vi.advanceTimersByTimeAsync(1_000);
      expect(budget.heldBytes).toBe(before + 100_000);
      if (end === 'answered') respond();
      else if (end === 'closed') await remote.close();
      else call$.unsubscribe();
      await turn();
      expect(budget.heldBytes).toBe(before);
    },
  );

  it('refuses a state that it has no room for', async () => {
    const before = budget.heldBytes;
    const result = { resultType: 'input_required', requestState: 's'.repeat(50_000) };
    const remote = await connected(rawServer(() => ({ result })));
    const giveBack = leaving(64 * kibibyte);
    expect(await ended(once(remote.request('tools/call')))).toMatchObject({ code: 'OVERFLOW' });
    giveBack();
    expect(budget.heldBytes).toBe(before);
  });
});

describe('what a server says', () => {
  it('is refused where the key of an ask has more than 256 characters', async () => {
    let length = 256;
    const asked: string[] = [];
    const server = rawServer(({ params }) => {
      const { inputResponses } = params ?? {};
      if (inputResponses !== undefined) return { result: {} };
      const inputRequests = { ['k'.repeat(length)]: { method: 'roots/list' } };
      return { result: { resultType: 'input_required', inputRequests } };
    });
    const offers = [roots(() => (asked.push('asked'), { roots: [] }) as never)];
    const remote = await connected(server, { offers });
    expect(await ended(once(remote.request('tools/call')))).toEqual({});
    length = 257;
    expect(await ended(once(remote.request('tools/call')))).toMatchObject({
      code: 'INVALID_RESULT',
      message: expect.stringContaining('257 characters') as string,
    });
    expect(asked).toHaveLength(1);
  });

  it.each(['modern', 'legacy'] as const)('about itself has at most 65,536 characters, %s', async (era) => {
    const of = (length: number) => ({ tools: { x: 'x'.repeat(length - '{"tools":{"x":""}}'.length) } });
    await connected(
      rawServer(() => undefined, { era, capabilities: of(65_536) }),
      { eras: [era] },
    );
    const refused = connected(
      rawServer(() => undefined, { era, capabilities: of(65_537) }),
      { eras: [era] },
    );
    expect(await ended(refused)).toMatchObject({
      code: 'INVALID_RESULT',
      message: expect.stringContaining('"capabilities" has 65537 characters') as string,
    });
  });

  it('before the client has a remote is kept up to 1 MiB', async () => {
    const server = rawServer(
      (frame, wire) => {
        if (frame.method !== 'server/discover') return undefined;
        const log = (data: string) =>
          wire.put({ jsonrpc: '2.0', method: 'notifications/unknown', params: { data } });
        wire.put({
          jsonrpc: '2.0',
          id: frame.id,
          result: { supportedVersions: ['2026-07-28'], capabilities: {} },
        });
        for (let at = 0; at < 8; at += 1) log('x'.repeat(300_000));
        return undefined;
      },
      { era: 'own' },
    );
    const remote = await connected(server);
    const faults: string[] = [];
    remote.faults$.subscribe(({ code }) => faults.push(code));
    expect(faults).toEqual(['UNKNOWN_NOTIFICATION', 'UNKNOWN_NOTIFICATION', 'UNKNOWN_NOTIFICATION']);
  });
});
