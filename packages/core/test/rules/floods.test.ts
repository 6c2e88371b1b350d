import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TransportError } from '@rxmcp/transport';
import { getRemoteLink } from '../../src/internal.js';
import { counting, read, watch } from '../rig/counting.js';
import { connected } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe.each(['modern', 'legacy'] as const)('notifications of changes over %s', (era) => {
  async function watched() {
    const rig = counting(era);
    const remote = await connected(rig.server);
    const seen: number[] = [];
    const subscription = watch(remote, 'a:/x').subscribe((n) => seen.push(n));
    await turn();
    const reads = (): number => rig.methods().filter((m) => m === 'x/read').length;
    return { ...rig, remote, seen, subscription, reads };
  }

  it('one is read again at once, also right after the first read', async () => {
    const { seen, changed } = await watched();
    expect(seen).toEqual([1]);
    changed('a:/x');
    await turn();
    expect(seen).toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(50);
    changed('a:/x');
    await turn();
    expect(seen).toEqual([1, 2, 3]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('a flood is read again once per 50 ms, and once more after its end', async () => {
    const { seen, reads, changed } = await watched();
    for (let ms = 0; ms < 1_000; ms += 1) {
      for (let i = 0; i < 10; i += 1) changed('a:/x');
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(reads()).toBeGreaterThanOrEqual(20);
    expect(reads()).toBeLessThanOrEqual(22);
    changed('a:/x');
    const before = reads();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reads()).toBe(before + 1);
    expect(seen.at(-1)).toBe(reads());
  });

  it('each value is limited separately', async () => {
    const { remote, changed } = await watched();
    const other: number[] = [];
    watch(remote, 'a:/y').subscribe((n) => other.push(n));
    await turn();
    changed('a:/x');
    changed('a:/x');
    changed('a:/y');
    await turn();
    expect(other).toHaveLength(2);
  });

  it('an unsubscribed watch has nothing read again', async () => {
    const { subscription, reads, changed } = await watched();
    changed('a:/x');
    await turn();
    const timers = vi.getTimerCount();
    changed('a:/x');
    await turn();
    expect(vi.getTimerCount()).toBe(timers + 1);
    subscription.unsubscribe();
    await turn();
    expect(vi.getTimerCount()).toBeLessThanOrEqual(timers);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reads()).toBe(2);
  });
});

it('a list that changes without end is read once per 50 ms too', async () => {
  const { server, methods, notice } = counting('modern');
  const remote = await connected(server);
  getRemoteLink(remote)
    .live('tools', [{ list: 'tools' }], () => read(remote))
    .subscribe();
  await turn();
  for (let ms = 0; ms < 500; ms += 1) {
    notice('notifications/tools/list_changed');
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(methods().filter((m) => m === 'x/read').length).toBeLessThanOrEqual(12);
});

/** Follows a list that takes so long to read; returns what announces a change of it. */
async function changingList(ms: number, onRead: () => number): Promise<() => void> {
  const { server, notice } = counting('modern', ({ method, id }, wire) => {
    if (method !== 'x/read') return undefined;
    const n = onRead();
    setTimeout(() => wire.put({ jsonrpc: '2.0', id, result: { n } }), ms);
    return null;
  });
  const remote = await connected(server);
  getRemoteLink(remote)
    .live('tools', [{ list: 'tools' }], () => read(remote))
    .subscribe();
  return () => notice('notifications/tools/list_changed');
}

it('a list that takes 1 s to read is read again 2 s later, however often it changes', async () => {
  let reads = 0;
  const change = await changingList(1_000, () => (reads += 1));
  await turn();
  for (let ms = 0; ms < 30_000; ms += 10) {
    change();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(reads).toBe(11);
});

it('lists that change at the same time are read again after longer, also those of other servers', async () => {
  let reads = 0;
  const change = await Promise.all(Array.from({ length: 4 }, () => changingList(100, () => (reads += 1))));
  const changing = async (of: readonly (() => void)[]): Promise<number> => {
    const before = reads;
    for (let ms = 0; ms < 11_000; ms += 10) {
      for (const each of of) each();
      await vi.advanceTimersByTimeAsync(10);
    }
    return reads - before;
  };
  await changing(change);
  // Each of the four takes 100 ms and waits for 1,000 ms.
  expect(await changing(change)).toBe(40);
  await vi.advanceTimersByTimeAsync(2_000);
  // 100 and 250 ms.
  expect(await changing(change.slice(0, 1))).toBeGreaterThan(30);
});

it('a value is read again 10 s after a read that took long', async () => {
  let reads = 0;
  const { server, changed } = counting('modern', ({ method, id }, wire) => {
    if (method !== 'x/read') return undefined;
    reads += 1;
    setTimeout(() => wire.put({ jsonrpc: '2.0', id, result: { n: reads } }), 30_000);
    return null;
  });
  const remote = await connected(server);
  watch(remote, 'a:/x').subscribe();
  for (const count of [1, 2]) {
    await turn();
    expect(reads).toBe(count);
    await vi.advanceTimersByTimeAsync(30_000);
    changed('a:/x');
  }
  await vi.advanceTimersByTimeAsync(9_990);
  expect(reads).toBe(2);
  await vi.advanceTimersByTimeAsync(20);
  expect(reads).toBe(3);
});

describe.each(['modern', 'legacy'] as const)('notifications that were lost over %s', (era) => {
  it('reads watched resources again once the transport reports the gap', async () => {
    const { server, methods } = counting(era);
    const remote = await connected(server);
    const seen: number[] = [];
    watch(remote, 'a:/x').subscribe((n) => seen.push(n));
    await turn();
    expect(seen).toEqual([1]);
    const wire = server.pipes[0];
    wire?.fault(new TransportError('CONNECTION_LOST', 'cut', { details: { gap: true } }));
    await turn();
    expect(seen).toEqual([1, 2]);
    wire?.fault(new TransportError('CONNECTION_LOST', 'cut'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(methods().filter((m) => m === 'x/read')).toHaveLength(2);
  });
});
