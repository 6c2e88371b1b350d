import { concat, defer, NEVER, of, switchMap, throwError, timer } from 'rxjs';
import type { Observable } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineClient, RxmcpError, once, reconnect, RpcError, TransportError } from '../../src/index.js';
import type { Remote, RemoteStatus } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const client = defineClient({ info: { name: 'c', version: '1' } });
const dead = () => rawServer(() => undefined, {}, { redialable: false });
const states = (remote: Remote): string[] => {
  const seen: string[] = [];
  remote.status$.subscribe((s: RemoteStatus) => s.state !== seen.at(-1) && seen.push(s.state));
  return seen;
};

describe('scoped: client.live(transport)', () => {
  it('on subscribe: dials and negotiates; on unsubscribe: closes the remote', async () => {
    const server = rawServer(() => undefined);
    const live = client.live(server);
    expect(server.pipes).toHaveLength(0);
    const seen: Remote[] = [];
    const subscription = live.subscribe((remote) => seen.push(remote));
    expect(seen).toEqual([]);
    await turn();
    expect(seen[0]?.version).toBe('2026-07-28');
    subscription.unsubscribe();
    await turn();
    expect(server.pipes[0]?.closed).toBe(true);
  });

  it('replay: none, every subscriber dials for itself', async () => {
    const server = rawServer(() => undefined);
    const live = client.live(server);
    const all = [live.subscribe(), live.subscribe()];
    await turn();
    expect(server.pipes).toHaveLength(2);
    for (const one of all) one.unsubscribe();
  });

  it('unsubscribing while it dials or negotiates leaves no connection', async () => {
    const server = rawServer(() => undefined, { era: 'own' });
    const subscription = client.live(server).subscribe();
    await turn();
    expect(server.pipes).toHaveLength(1);
    subscription.unsubscribe();
    await turn();
    expect(server.pipes[0]?.closed).toBe(true);
  });

  it('completes on a graceful end, errors on a loss with its cause', async () => {
    const ends: unknown[] = [];
    for (const cause of [undefined, lost()]) {
      const server = dead();
      client.live(server).subscribe({ error: (e) => ends.push(e), complete: () => ends.push('complete') });
      await turn();
      server.pipes[0]?.end(cause);
      await turn();
    }
    expect(ends).toEqual(['complete', expect.objectContaining({ code: 'CONNECTION_LOST' })]);
  });

  it('errors when it cannot dial, and when there is no common version', async () => {
    const none = rawServer(() => undefined);
    none.maxDials = 0;
    await expect(once(client.live(none))).rejects.toMatchObject({ code: 'DIAL_FAILED' });
    const alien = rawServer(() => ({ error: { code: -32022, message: 'no', data: { supported: ['x'] } } }), {
      era: 'own',
    });
    await expect(once(client.live(alien))).rejects.toMatchObject({ code: -32022 });
  });
});

describe('the one redial of a remote', () => {
  it('is made at once; calls made meanwhile wait; those in flight end as unknown', async () => {
    const server = rawServer((frame, _wire, dial) =>
      dial === 2 ? { result: { dial, of: frame.method } } : undefined,
    );
    const remote = await connected(server);
    const seen = states(remote);
    const flying = once(remote.request('x/flying')).catch((e: unknown) => e);
    await turn();
    server.pipes[0]?.end(lost());
    const waiting = once(remote.request('x/waiting'));
    expect(seen).toEqual(['open', 'reconnecting']);
    await turn();
    expect(await flying).toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
    expect(await waiting).toMatchObject({ dial: 2, of: 'x/waiting' });
    expect(seen).toEqual(['open', 'reconnecting', 'open']);
    expect(server.pipes[1]?.sent.filter((f) => f.method === 'x/flying')).toEqual([]);
  });

  it('when it fails the remote is closed, and pending calls were not sent', async () => {
    const server = rawServer(() => undefined);
    const remote = await connected(server);
    const seen = states(remote);
    server.maxDials = 1;
    server.pipes[0]?.end(lost());
    const waiting = once(remote.request('x/y')).catch((e: unknown) => e);
    await turn();
    expect(seen).toEqual(['open', 'reconnecting', 'closed']);
    expect(await waiting).toMatchObject({ code: 'CONNECTION_LOST', outcome: 'not-sent' });
  });

  it('a pending call can be cancelled, and closing ends the redial', async () => {
    const server = rawServer(() => undefined);
    const remote = await connected(server);
    server.pipes[0]?.end(lost());
    remote.request('x/left').subscribe().unsubscribe();
    const closing = remote.close();
    await turn();
    await closing;
    expect(server.calls().filter((f) => f.method === 'x/left')).toEqual([]);
    expect(server.pipes.slice(1).every((p) => p.closed)).toBe(true);
  });

  it('is not made where the carrier cannot be dialled again, nor after an end in order', async () => {
    for (const [traits, cause] of [
      [{ redialable: false }, lost()],
      [{}, undefined],
    ] as const) {
      const server = rawServer(() => undefined, {}, traits);
      const remote = await connected(server);
      server.pipes[0]?.end(cause);
      await turn();
      expect(states(remote)).toEqual(['closed']);
      expect(server.pipes).toHaveLength(1);
    }
  });

  it('fault 11: a server that takes connections and drops them is not dialled in a hot loop', async () => {
    const server = rawServer(() => undefined);
    const remote = await connected(server);
    server.pipes[0]?.end(lost());
    for (let ms = 0; ms < 2_000; ms += 10) {
      await vi.advanceTimersByTimeAsync(10);
      server.pipes.at(-1)?.end(lost());
    }
    expect(server.pipes.length).toBeLessThanOrEqual(5);
    await remote.close();
  });
});

describe('reconnect', () => {
  /** A source that fails in the ways of a list, then never ends. */
  const failing = (ends: (() => Observable<never>)[]) => {
    let rounds = 0;
    const source = defer(() => (ends[rounds++] ?? (() => NEVER))());
    return { source, rounds: () => rounds };
  };
  const loss = () => throwError(() => new TransportError('DIAL_FAILED', 'x', { outcome: 'not-sent' }));
  const repeated = (n: number, end = loss) => Array.from({ length: n }, () => end);

  it('waits 1 s, then 1.5 times as long, up to 30 s', async () => {
    const at: number[] = [];
    const source = defer(() => (at.push(performance.now()), loss()));
    const subscription = source.pipe(reconnect({ jitter: false })).subscribe();
    await vi.advanceTimersByTimeAsync(300_000);
    subscription.unsubscribe();
    const delays = at.slice(1).map((ms, i) => ms - (at[i] as number));
    for (let i = 0; i < 12; i += 1)
      expect(Math.abs((delays[i] as number) - Math.min(1_000 * 1.5 ** i, 30_000))).toBeLessThanOrEqual(1);
  });

  it('fault 12: of 5,000 clients that lose one server less than a tenth reconnect in a twentieth of the time', () => {
    const times: number[] = [];
    // One after the other: a virtual clock takes very long to find the next of so many timers.
    for (let client = 0; client < 5_000; client += 1) {
      const lostAt = performance.now();
      let rounds = 0;
      const source = defer(() => {
        rounds += 1;
        if (rounds === 1) return loss();
        times.push(performance.now() - lostAt);
        return NEVER;
      });
      const subscription = source.pipe(reconnect()).subscribe();
      vi.advanceTimersByTime(1_001);
      subscription.unsubscribe();
    }
    expect(times).toHaveLength(5_000);
    for (const from of new Set(times)) {
      const together = times.filter((ms) => ms >= from && ms < from + 50);
      expect(together.length).toBeLessThan(500);
    }
  });

  it('takes a random part of each delay', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.25);
    const { source, rounds } = failing(repeated(1));
    const subscription = source.pipe(reconnect()).subscribe();
    await vi.advanceTimersByTimeAsync(249);
    expect(rounds()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(rounds()).toBe(2);
    subscription.unsubscribe();
    vi.restoreAllMocks();
  });

  it('emits the error after so many attempts in a row', async () => {
    const { source, rounds } = failing(repeated(20));
    const errors: unknown[] = [];
    source.pipe(reconnect({ maxAttempts: 3 })).subscribe({ error: (e) => errors.push(e) });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(rounds()).toBe(4);
    expect(errors).toHaveLength(1);
  });

  it('refills the attempts only after stable time', async () => {
    for (const [lived, rounds] of [
      [999, 2],
      [1_000, 5],
    ] as const) {
      let count = 0;
      const source = defer(() => {
        count += 1;
        return count === 5 ? NEVER : concat(of('up'), timer(lived).pipe(switchMap(loss)));
      });
      source
        .pipe(reconnect({ maxAttempts: 1, stableAfterMs: 1_000, jitter: false }))
        .subscribe({ error: () => undefined });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(count, `lived ${lived}`).toBe(rounds);
    }
  });

  it('for ever does not grow: ten thousand rounds and the stream still works', async () => {
    let n = 0;
    const source = defer(() => (++n <= 10_000 ? loss() : of(n)));
    const seen: number[] = [];
    source.pipe(reconnect({ initialDelayMs: 0 })).subscribe((v) => seen.push(v));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(seen[0]).toBe(10_001);
  });

  it('never on an RpcError, a deadline of a call, or a call whose outcome is unknown', async () => {
    const errors = [
      new RpcError(-31999, 'no'),
      new RxmcpError('TIMEOUT', 'x', { outcome: 'unknown' }),
      new RxmcpError('CAPABILITY_NOT_SUPPORTED', 'x'),
      new TransportError('CONNECTION_LOST', 'in flight', { outcome: 'unknown' }),
      new TransportError('DIAL_ABORTED', 'x', { outcome: 'not-sent' }),
      new TransportError('UNAUTHORIZED', 'x', { outcome: 'not-sent' }),
      new TransportError('REJECTED', 'x', { outcome: 'not-sent' }),
      new Error('mine'),
    ];
    for (const error of errors) {
      const { source, rounds } = failing([() => throwError(() => error)]);
      const seen: unknown[] = [];
      source.pipe(reconnect()).subscribe({ error: (e) => seen.push(e) });
      await vi.advanceTimersByTimeAsync(60_000);
      expect([rounds(), seen]).toEqual([1, [error]]);
    }
  });

  it('reconnects to a server that was lost, and to one that ended in order; an interrupted call succeeds', async () => {
    const server = rawServer(
      (frame) => (frame.method === 'x/read' ? { result: { n: 1 } } : undefined),
      {},
      { redialable: false },
    );
    const states$ = client.live(server).pipe(
      switchMap((r) => getRemoteLink(r).live('k', [], () => r.request('x/read'))),
      reconnect({ jitter: false }),
    );
    const subscription = states$.subscribe();
    await turn();
    server.pipes[0]?.end(lost());
    await vi.advanceTimersByTimeAsync(1_000);
    await turn();
    server.pipes[1]?.end();
    await vi.advanceTimersByTimeAsync(2_000);
    await turn();
    expect(server.pipes).toHaveLength(3);
    subscription.unsubscribe();

    const errors: unknown[] = [];
    const calls$ = client.live(server).pipe(
      switchMap((r) => r.request('x/charge')),
      reconnect({ jitter: false }),
    );
    calls$.subscribe({ error: (e) => errors.push(e) });
    await turn();
    server.pipes[3]?.end(lost());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(errors).toMatchObject([{ outcome: 'unknown' }]);
    expect(server.pipes).toHaveLength(4);
  });
});
