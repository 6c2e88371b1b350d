import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { once } from '../../src/index.js';
import type { Remote, RemoteStatus } from '../../src/index.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import type { RawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const states = (remote: Remote): RemoteStatus[] => {
  const seen: RemoteStatus[] = [];
  remote.status$.subscribe((s) => s.state !== seen.at(-1)?.state && seen.push(s));
  return seen;
};

/** Drops the newest connection after it lived so long, and lets the next one be made. */
async function dropAfter(server: RawServer, ms: number, cause = lost()): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  server.pipes.at(-1)?.end(cause);
  await turn();
  await vi.advanceTimersByTimeAsync(1_000);
  await turn();
}

describe('the redials of a remote', () => {
  it('end after five in a row without 30 s of stability: the remote is closed with its cause', async () => {
    const server = rawServer(() => undefined);
    const remote = await connected(server);
    const seen = states(remote);
    for (let i = 1; i <= 5; i += 1) {
      await dropAfter(server, 0);
      expect(server.pipes).toHaveLength(1 + i);
    }
    expect(seen.at(-1)?.state).toBe('open');
    const cause = lost();
    await dropAfter(server, 0, cause);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(seen.at(-1)).toEqual({ state: 'closed', cause });
    expect(server.pipes).toHaveLength(6);
    const error = once(remote.request('x/y')).catch((e: unknown) => e);
    await turn();
    expect(await error).toMatchObject({ code: 'CONNECTION_LOST', outcome: 'not-sent' });
  });

  it('stop with a peer that accepts and drops at once', async () => {
    const server = rawServer((_frame, wire) => void wire.end(lost()));
    const remote = await connected(server);
    const seen = states(remote);
    server.pipes[0]?.end(lost());
    for (let s = 0; s < 60; s += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      server.pipes.at(-1)?.end(lost());
      await turn();
    }
    expect([seen.at(-1)?.state, server.pipes.length]).toEqual(['closed', 6]);
  });

  it('are refilled by 30 s of stability, and by no less', async () => {
    for (const [lived, pipes] of [
      // Each lives for the second longer in which the next one may be made.
      [28_900, 6],
      [30_000, 13],
    ] as const) {
      const server = rawServer(() => undefined);
      await connected(server);
      for (let i = 0; i < 12; i += 1) await dropAfter(server, lived);
      expect(server.pipes, `lived ${lived}`).toHaveLength(pipes);
    }
  });

  it('have 30 s of stability in one connection, not in the sum of several', async () => {
    const server = rawServer(() => undefined);
    await connected(server);
    for (let i = 0; i < 4; i += 1) await dropAfter(server, 0);
    await dropAfter(server, 30_000);
    for (let i = 0; i < 4; i += 1) await dropAfter(server, 9_000);
    expect(server.pipes).toHaveLength(10);
    await dropAfter(server, 9_000);
    expect(server.pipes).toHaveLength(10);
  });
});
