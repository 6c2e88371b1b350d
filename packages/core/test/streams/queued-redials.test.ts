import type { Subscription } from 'rxjs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { once } from '../../src/index.js';
import type { Remote } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

// The timers of other tests in this process are not those of the remote.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A remote in the pause before its second redial, and whether a timer keeps the process alive. */
async function paused(before: (remote: Remote) => unknown = () => undefined) {
  const server = rawServer((frame, _wire, dial) =>
    frame.method === 'x/read' ? { result: { dial } } : undefined,
  );
  const remote = await connected(server);
  before(remote);
  await turn();
  server.pipes[0]?.end(lost());
  await turn();
  const made = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  server.pipes[1]?.end(lost());
  await Promise.resolve();
  const isHeld = (): boolean => {
    const over = new Set(cleared.mock.calls.map(([timer]) => timer));
    return made.mock.results.some(({ value }) => !over.has(value) && value.hasRef() === true);
  };
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  expect(server.pipes).toHaveLength(2);
  return { server, remote, isHeld };
}

it('the pause before a redial keeps the process alive while a call waits for it', async () => {
  const { server, remote, isHeld } = await paused();
  expect(isHeld()).toBe(false);
  const left = remote.request('x/read').subscribe();
  const waiting = once(remote.request('x/read'));
  expect(isHeld()).toBe(true);
  left.unsubscribe();
  expect(isHeld()).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  await turn();
  expect(await waiting).toEqual({ dial: 3 });
  expect(server.pipes).toHaveLength(3);
  await remote.close();
});

it('a call that was there before the pause holds it too, and releases it when it is cancelled', async () => {
  let call: Subscription | undefined;
  const { remote, isHeld } = await paused((it) =>
    it.status$.subscribe(({ state }) => {
      if (state === 'reconnecting') call = it.request('x/read').subscribe();
    }),
  );
  expect(isHeld()).toBe(true);
  call?.unsubscribe();
  expect(isHeld()).toBe(false);
  await remote.close();
  await turn();
  expect(vi.getTimerCount()).toBe(0);
});

it('what only follows changes does not', async () => {
  const { remote, isHeld } = await paused((it) => {
    getRemoteLink(it)
      .live('own', [], () => it.request('x/never'))
      .subscribe({ error: () => undefined });
    getRemoteLink(it)
      .live('followed', [{ list: 'tools' }], () => it.request('x/read'))
      .subscribe({ error: () => undefined });
  });
  expect(isHeld()).toBe(false);
  await remote.close();
});
