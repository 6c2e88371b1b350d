import type { Transport } from '@rxmcp/transport';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineClient, once } from '../../src/index.js';
import type { RemoteStatus } from '../../src/index.js';
import { counting, watch } from '../rig/counting.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const client = defineClient({ info: { name: 'c', version: '1' } });
const shaken = {
  result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'r', version: '0' } },
};
const never = (): Promise<never> => new Promise(() => undefined);

describe('connect() without a timeout option', () => {
  it('takes 10 s at most, dialling, probing and opening together', async () => {
    const silent = rawServer(() => undefined, { era: 'own' });
    const slow: Transport = {
      name: 'slow',
      dial: async (options) => {
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        return silent.dial(options);
      },
    };
    const ends: unknown[] = [];
    client.connect(slow).catch((error: unknown) => ends.push(error));
    await vi.advanceTimersByTimeAsync(9_999);
    await turn();
    // All three were begun: none of them has ten seconds of its own.
    expect(silent.pipes[0]?.sent.map(({ method }) => method)).toEqual(['server/discover', 'initialize']);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await turn();
    expect(ends).toMatchObject([{ code: 'TIMEOUT', outcome: 'not-sent' }]);
  });

  it('takes 10 s at most as a stream too', async () => {
    const ends: unknown[] = [];
    client
      .live({ name: 'never', dial: never })
      .subscribe({ error: (error: { code: unknown }) => ends.push(error.code) });
    await vi.advanceTimersByTimeAsync(9_999);
    await turn();
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await turn();
    expect(ends).toEqual(['TIMEOUT']);
  });

  it('waits 5 s for a response to the probe, then shakes hands', async () => {
    const server = rawServer(({ method }) => (method === 'initialize' ? shaken : undefined), { era: 'own' });
    const connecting = connected(server);
    const sent = (): unknown[] => server.pipes.flatMap((pipe) => pipe.sent).map(({ method }) => method);
    await vi.advanceTimersByTimeAsync(4_999);
    await turn();
    expect(sent()).toEqual(['server/discover']);
    await vi.advanceTimersByTimeAsync(1);
    await turn();
    expect(sent()).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    expect((await connecting).version).toBe('2025-11-25');
  });
});

it('a redial takes 10 s at most: then the remote is closed, and pending calls were not sent', async () => {
  const server = rawServer(() => undefined);
  const remote = await connected(server);
  const states: string[] = [];
  remote.status$.subscribe(({ state }: RemoteStatus) => states.push(state));
  server.dial = never;
  server.pipes[0]?.end(lost());
  const ends: unknown[] = [];
  once(remote.request('x/waiting')).catch((error: unknown) => ends.push(error));
  await turn();
  await vi.advanceTimersByTimeAsync(9_999);
  await turn();
  expect([states.at(-1), ends]).toEqual(['reconnecting', []]);
  await vi.advanceTimersByTimeAsync(1);
  await turn();
  expect(states.at(-1)).toBe('closed');
  expect(ends).toMatchObject([{ code: 'CONNECTION_LOST', outcome: 'not-sent' }]);
});

it.each([
  { lived: 29_999, opened: 11, ends: [expect.stringContaining('11 times') as string] },
  { lived: 30_000, opened: 13, ends: [] },
])('a feed that ends after $lived ms each time is opened $opened times', async ({ lived, opened, ends }) => {
  // No back-off, so that nothing but the life of each feed takes time.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { server, listens } = counting('modern');
  const remote = await connected(server);
  const seen: string[] = [];
  watch(remote, 'a:/x').subscribe({ error: (error: Error) => seen.push(error.message) });
  await turn();
  for (let end = 1; end <= 12; end += 1) {
    await vi.advanceTimersByTimeAsync(lived);
    server.pipes[0]?.put({ jsonrpc: '2.0', id: listens().at(-1)?.id, result: { resultType: 'complete' } });
    await turn();
  }
  expect(listens()).toHaveLength(opened);
  expect(seen).toEqual(ends);
});
