import { firstValueFrom } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RemoteStatus } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { counting, read, sub, watch } from '../rig/counting.js';
import { connected, lost } from '../rig/raw-server.js';
import { turn, until } from '../rig/turn.js';

afterEach(() => void vi.useRealTimers());

describe('a feed that ends while its remote is open', () => {
  it('is reopened with back-off, read again after the acknowledgement, and visible in status$', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { server, listens } = counting('modern');
    const remote = await connected(server);
    const status: unknown[] = [];
    remote.status$.subscribe(
      (s: RemoteStatus) => s.state === 'open' && status.push(Object.values(s.subscriptions)),
    );
    const seen: number[] = [];
    watch(remote, 'a:/x').subscribe((n) => seen.push(n));
    await turn();
    for (const [round, delay] of [
      [1, 1_000],
      [2, 1_500],
      [3, 2_250],
    ] as const) {
      server.pipes[0]?.put({ jsonrpc: '2.0', id: listens().at(-1)?.id, result: { resultType: 'complete' } });
      await turn();
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(listens()).toHaveLength(round);
      await vi.advanceTimersByTimeAsync(1);
      await turn();
      expect(listens()).toHaveLength(round + 1);
      expect(seen).toHaveLength(round + 1);
    }
    expect(status.slice(0, 5)).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 0],
      [1, 0],
    ]);
    vi.restoreAllMocks();
  });

  it('errors when the budget of reopening is spent, also when every end was in order; retry starts anew', async () => {
    vi.useFakeTimers();
    const { server, listens } = counting('modern', (frame, wire) => {
      if (frame.method !== 'subscriptions/listen') return undefined;
      queueMicrotask(() => wire.put({ jsonrpc: '2.0', id: frame.id, result: { resultType: 'complete' } }));
      return undefined;
    });
    const remote = await connected(server);
    const ends: string[] = [];
    watch(remote, 'a:/x').subscribe({
      error: (e: Error) => ends.push(e.message),
      complete: () => ends.push('complete'),
    });
    await vi.advanceTimersByTimeAsync(400_000);
    expect(ends).toEqual([expect.stringContaining('11 times')]);
    expect(listens()).toHaveLength(11);
    watch(remote, 'a:/x').subscribe({ error: () => undefined });
    await turn();
    expect(listens()).toHaveLength(12);
  });
});

it.each(['modern', 'legacy'] as const)(
  'a feed whose connection is lost waits for the redial: none is reported as reopening (%s)',
  async (era) => {
    const { server } = counting(era, (frame) => (frame.params?.['uri'] === 'b:/y' ? null : undefined));
    const remote = await connected(server);
    const status: unknown[] = [];
    remote.status$.subscribe((s: RemoteStatus) =>
      status.push(s.state === 'open' ? [s.subscriptions.open, s.subscriptions.reopening] : s.state),
    );
    watch(remote, 'a:/x').subscribe();
    await until(() => status.length === 2);
    // It is not acknowledged before the loss.
    watch(remote, 'b:/y').subscribe({ error: () => undefined });
    await turn();
    status.length = 0;
    server.pipes[0]?.end(lost());
    expect(status).toEqual(['reconnecting']);
  },
);

it('row 49: notices before the acknowledgement, or with another subscription id, are dropped', async () => {
  const { server, listens, methods } = counting('modern');
  const remote = await connected(server);
  watch(remote, 'a:/x').subscribe();
  await turn();
  const before = methods().length;
  for (const id of [String(listens()[0]?.id), 99, undefined])
    server.pipes[0]?.put({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: 'a:/x', _meta: { [sub]: id } },
    });
  await turn();
  expect(methods()).toHaveLength(before);
});

it('two values that follow one list share the feed, and the second is read without an announcement', async () => {
  const { server, listens } = counting('modern', (frame, wire) => {
    if (frame.method !== 'subscriptions/listen') return undefined;
    const params = { notifications: {}, _meta: { [sub]: frame.id } };
    wire.put({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params });
    return null;
  });
  const remote = await connected(server);
  const list = (key: string) => getRemoteLink(remote).live(key, [{ list: 'tools' }], () => read(remote));
  const seen: number[] = [];
  list('one').subscribe((n) => seen.push(n));
  await until(() => seen.length === 1);
  list('two').subscribe((n) => seen.push(n));
  await until(() => seen.length === 2);
  expect(listens()).toHaveLength(1);
});

it('a resource that cannot be followed is an error; retry asks again; nothing stays open', async () => {
  let honoured = false;
  const { server, listens, methods } = counting('modern', (frame, wire) => {
    if (frame.method !== 'subscriptions/listen' || honoured) return undefined;
    const params = { notifications: { resourceSubscriptions: [] }, _meta: { [sub]: frame.id } };
    wire.put({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params });
    return null;
  });
  const remote = await connected(server);
  const refused: unknown = await firstValueFrom(watch(remote, 'a:/x')).catch((e: unknown) => e);
  expect(refused).toMatchObject({ code: 'CAPABILITY_NOT_SUPPORTED' });
  await turn();
  expect(methods().at(-1)).toBe('notifications/cancelled');
  honoured = true;
  expect(await firstValueFrom(watch(remote, 'a:/x'))).toBe(1);
  expect(listens()).toHaveLength(2);
});
