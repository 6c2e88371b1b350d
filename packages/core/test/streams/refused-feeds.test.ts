import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Remote, RemoteStatus } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { counting, read, sub, watch } from '../rig/counting.js';
import type { Frame } from '../rig/pipe.js';
import { connected } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const uris = (frame: Frame): unknown[] =>
  (frame.params?.['notifications'] as { resourceSubscriptions?: unknown[] }).resourceSubscriptions ?? [];

/** A server that does something of its own with a subscription to some resources. */
function picky(what: (frame: Frame) => boolean, response: object | null) {
  return counting('modern', (frame) =>
    frame.method === 'subscriptions/listen' && what(frame) ? response : undefined,
  );
}

/** The ends of some watches. */
function followed(remote: Remote, ...names: string[]): string[] {
  const ends: string[] = [];
  for (const name of names)
    watch(remote, name).subscribe({
      error: (e: { code: unknown }) => ends.push(`${name} ${String(e.code)}`),
    });
  return ends;
}

const refusal = { error: { code: -32603, message: 'never' } };
const full = { error: { code: -31001, message: 'too many', data: { retryable: true } } };

it('a refused addition fails alone: existing subscriptions continue', async () => {
  const { server, listens, methods } = picky((frame) => uris(frame).length > 2, refusal);
  const remote = await connected(server);
  const ends = followed(remote, 'a:/a', 'a:/b');
  await turn();
  const added = followed(remote, 'a:/c');
  await turn();
  expect(added).toEqual(['a:/c -32603']);
  await vi.advanceTimersByTimeAsync(400_000);
  expect(ends).toEqual([]);
  expect(methods()).not.toContain('notifications/cancelled');
  expect(listens()).toHaveLength(2);
  const before = methods().length;
  const [{ id } = {}] = listens();
  const params = { uri: 'a:/a', _meta: { [sub]: id } };
  server.pipes[0]?.put({ jsonrpc: '2.0', method: 'notifications/resources/updated', params });
  await turn();
  expect(methods().slice(before)).toEqual(['x/read']);
});

it('a refused addition of a list is an error of that list', async () => {
  const { server } = picky(
    (frame) => 'toolsListChanged' in (frame.params?.['notifications'] as object),
    refusal,
  );
  const remote = await connected(server);
  const ends = followed(remote, 'a:/a');
  await turn();
  getRemoteLink(remote)
    .live('tools', [{ list: 'tools' }], () => read(remote))
    .subscribe({ error: (e: { code: unknown }) => ends.push(`tools ${String(e.code)}`) });
  await turn();
  expect(ends).toEqual(['tools -32603']);
});

it('a refused smaller set is not requested again automatically; the next change is', async () => {
  const { server, listens } = picky((frame) => listens().length === 2 && uris(frame).length === 1, refusal);
  const remote = await connected(server);
  const ends = followed(remote, 'a:/a');
  const left = watch(remote, 'a:/b').subscribe();
  await turn();
  left.unsubscribe();
  await turn();
  await vi.advanceTimersByTimeAsync(400_000);
  expect(listens()).toHaveLength(2);
  ends.push(...followed(remote, 'a:/c'));
  await turn();
  expect(listens()).toHaveLength(3);
  expect(uris(listens()[2] as Frame).sort()).toEqual(['a:/a', 'a:/c']);
  expect(ends).toEqual([]);
});

it('an addition during the pause is requested without the refused one', async () => {
  const { server, listens } = picky(() => listens().length === 2, null);
  const remote = await connected(server);
  const ends = followed(remote, 'a:/a');
  await turn();
  const added = followed(remote, 'a:/b');
  await turn();
  const besides = followed(remote, 'a:/c');
  await turn();
  server.pipes[0]?.put({ jsonrpc: '2.0', id: listens()[1]?.id, ...refusal });
  await turn();
  expect([ends, added, besides]).toEqual([[], ['a:/b -32603'], []]);
  expect(listens().map((frame) => uris(frame))).toEqual([['a:/a'], ['a:/a', 'a:/b'], ['a:/a', 'a:/c']]);
});

it('an addition that gets no response is retried, while existing subscriptions continue', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const { server, listens, methods } = picky(() => listens().length === 2, null);
  const remote = await connected(server);
  const feeds: string[] = [];
  remote.status$.subscribe(
    (s: RemoteStatus) => s.state === 'open' && feeds.push(Object.values(s.subscriptions).join()),
  );
  const ends = followed(remote, 'a:/a');
  await turn();
  ends.push(...followed(remote, 'a:/b'));
  await turn();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(feeds).toEqual(['0,0', '1,0', '1,1']);
  expect(methods().filter((method) => method === 'notifications/cancelled')).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(listens()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  await turn();
  expect(listens()).toHaveLength(3);
  expect(feeds.at(-1)).toBe('2,0');
  expect(ends).toEqual([]);
  vi.restoreAllMocks();
});

it('an addition that fails again and again fails alone in the end', async () => {
  const { server, listens } = picky((frame) => uris(frame).length > 1, {
    result: { resultType: 'complete' },
  });
  const remote = await connected(server);
  const ends = followed(remote, 'a:/a');
  await turn();
  const added = followed(remote, 'a:/b');
  await vi.advanceTimersByTimeAsync(400_000);
  await turn();
  expect([ends, added]).toEqual([[], ['a:/b PROTOCOL_ERROR']]);
  expect(listens()).toHaveLength(12);
});

it('unsubscribing from all of it does not wait for an addition that is retried', async () => {
  const { server, listens, methods } = picky((frame) => uris(frame).length > 1, {
    result: { resultType: 'complete' },
  });
  const remote = await connected(server);
  const first = watch(remote, 'a:/a').subscribe();
  await turn();
  const second = watch(remote, 'a:/b').subscribe();
  await turn();
  first.unsubscribe();
  second.unsubscribe();
  await turn();
  expect(methods().at(-1)).toBe('notifications/cancelled');
  const count = listens().length;
  await vi.advanceTimersByTimeAsync(400_000);
  expect(listens()).toHaveLength(count);
});

it('a temporary refusal is not an end: the addition is retried', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const { server, listens } = picky(() => listens().length === 2, full);
  const remote = await connected(server);
  const ends = followed(remote, 'a:/a');
  await turn();
  ends.push(...followed(remote, 'a:/b'));
  await turn();
  await vi.advanceTimersByTimeAsync(1_000);
  await turn();
  expect(listens().map((frame) => uris(frame).length)).toEqual([1, 2, 2]);
  expect(ends).toEqual([]);
  vi.restoreAllMocks();
});

it('another addition meanwhile neither counts as a try nor delays one', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const { server, listens } = picky((frame) => uris(frame).length > 1 && listens().length < 16, full);
  const remote = await connected(server);
  const ends = followed(remote, 'a:/a');
  await turn();
  for (let at = 0; at < 12; at += 1) {
    ends.push(...followed(remote, `a:/b${String(at)}`));
    await turn();
  }
  await vi.advanceTimersByTimeAsync(10_000);
  await turn();
  expect(ends).toEqual([]);
  expect(uris(listens().at(-1) as Frame)).toHaveLength(13);
  vi.restoreAllMocks();
});
