import { firstValueFrom, retry, switchMap, take } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { defineClient, once } from '../../src/index.js';
import type { Remote } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { Calls } from '../../src/peer/calls.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { roots } from '../rig/roots.js';
import { turn } from '../rig/turn.js';

const methods = (pipe: { sent: { method?: string }[] } | undefined): (string | undefined)[] =>
  (pipe?.sent ?? []).map(({ method }) => method);

describe('a remote that a subscriber closes when it opens again', () => {
  it('leaves no connection, and pending calls end without being sent', async () => {
    const server = rawServer(() => undefined);
    const remote = await connected(server);
    let opened = 0;
    let closed: Promise<void> | undefined;
    remote.status$.subscribe(({ state }) => {
      if (state === 'open' && ++opened === 2) closed = remote.close();
    });
    server.pipes[0]?.end(lost());
    const waiting = once(remote.request('x/y')).catch((error: unknown) => error);
    await turn();
    expect(server.pipes[1]?.closed).toBe(true);
    expect(await waiting).toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
    await closed;
    expect(methods(server.pipes[1])).toEqual(['server/discover']);
  });

  it('leaves none as a stream either', async () => {
    const server = rawServer(() => undefined);
    const states: string[] = [];
    defineClient({ info: { name: 'c', version: '1' } })
      .live(server)
      .pipe(
        switchMap((remote) => remote.status$),
        take(3),
      )
      .subscribe(({ state }) => states.push(state));
    await turn();
    server.pipes[0]?.end(lost());
    await turn();
    expect(states).toEqual(['open', 'reconnecting', 'open']);
    expect(server.pipes.map(({ closed }) => closed)).toEqual([true, true]);
  });
});

it('a call that is made because of a second opening is sent on it', async () => {
  const server = rawServer((_frame, _wire, dial) => ({ result: { dial } }));
  const remote = await connected(server);
  const seen: unknown[] = [];
  remote.status$.subscribe(({ state }) => {
    if (state === 'open') remote.request('x/y').subscribe((result) => seen.push(result));
  });
  await turn();
  server.pipes[0]?.end(lost());
  await turn();
  expect(seen).toEqual([{ dial: 1 }, { dial: 2 }]);
});

describe('a call made because another one was lost', () => {
  const second = () => rawServer((_frame, _wire, dial) => (dial === 2 ? { result: { dial } } : undefined));

  it('waits for the redial', async () => {
    const server = second();
    const remote = await connected(server);
    const call = firstValueFrom(remote.request('x/y').pipe(retry(1)));
    await turn();
    server.pipes[0]?.end(lost());
    expect(await call).toEqual({ dial: 2 });
    expect(methods(server.pipes[0])).toEqual(['server/discover', 'x/y']);
  });

  it.each<[string, (remote: Remote, cut: () => void) => unknown]>([
    ['when it cannot redial', (_remote, cut) => cut()],
    ['where the remote is closed', (remote) => remote.close()],
  ])('ends unsent %s', async (_where, end) => {
    const server = rawServer(() => undefined, {}, { redialable: false });
    const remote = await connected(server);
    const call = firstValueFrom(remote.request('x/y').pipe(retry(1))).catch((error: unknown) => error);
    await turn();
    void end(remote, () => server.pipes[0]?.end(lost()));
    expect(await call).toMatchObject({ outcome: 'not-sent' });
    expect(methods(server.pipes[0]).filter((method) => method === 'x/y')).toHaveLength(1);
  });
});

it('a closed table of calls accepts none and leaves no timer', async () => {
  vi.useFakeTimers();
  const calls = new Calls({
    perRequestLanes: false,
    maxInFlight: 3,
    send: () => undefined,
    expired: () => undefined,
    teardownFailed: () => undefined,
  });
  const patience = { idleTimeoutMs: 1_000, totalTimeoutMs: 1_000 };
  const ends: unknown[] = [];
  const handler = { result: () => undefined, failed: (error: Error) => void ends.push(error) };
  calls.failAll(new Error('over'));
  calls.start('x/y', () => undefined, patience, handler);
  expect(vi.getTimerCount()).toBe(0);
  await turn();
  vi.useRealTimers();
  expect(ends).toMatchObject([{ code: 'CLOSED', outcome: 'not-sent' }]);
});

describe('a read that is begun while the remote redials', () => {
  const answering = () =>
    rawServer((_frame, _wire, dial) =>
      dial === 1 ? { result: {} } : { error: { code: 7, message: 'no such thing' } },
    );
  const reading = (remote: Remote, ends: unknown[]) =>
    getRemoteLink(remote)
      .live('k', [], () => remote.request('x/read'))
      .subscribe({ error: (error: { code?: unknown }) => ends.push(error.code) });

  it('and then fails is an error', async () => {
    const server = answering();
    const remote = await connected(server);
    server.pipes[0]?.end(lost());
    const ends: unknown[] = [];
    reading(remote, ends);
    await turn();
    expect(ends).toEqual([7]);
  });

  it('is an error also where it was begun before and continued after', async () => {
    const server = rawServer((_frame, _wire, dial) =>
      dial === 1 ? undefined : { error: { code: 7, message: 'no such thing' } },
    );
    const remote = await connected(server);
    const ends: unknown[] = [];
    getRemoteLink(remote)
      .live('k', [], () => remote.request('x/read').pipe(retry(1)))
      .subscribe({ error: (error: { code?: unknown }) => ends.push(error.code) });
    await turn();
    server.pipes[0]?.end(lost());
    await vi.waitUntil(() => ends.length > 0);
    expect(ends).toEqual([7]);
  });

  it('and is lost with the next connection is read again on the one after it', async () => {
    const server = rawServer((_frame, _wire, dial) => (dial === 3 ? { result: { dial } } : undefined));
    const remote = await connected(server);
    server.pipes[0]?.end(lost());
    const seen: unknown[] = [];
    getRemoteLink(remote)
      .live('k', [], () => remote.request('x/read'))
      .subscribe({ next: (value) => seen.push(value), error: (error) => seen.push(error) });
    await turn();
    vi.useFakeTimers();
    server.pipes[1]?.end(lost());
    await turn();
    await vi.advanceTimersByTimeAsync(1_000);
    await turn();
    vi.useRealTimers();
    expect(seen).toEqual([{ dial: 3 }]);
  });
});

describe('a call with an ask of the server', () => {
  const inputRequests = { a: { method: 'roots/list' } };

  it('continues over a redial that was done before the answer came', async () => {
    let give: ((value: object) => void) | undefined;
    const answers = roots(() => new Promise((resolve) => (give = resolve as never)));
    const server = rawServer((frame, _wire, dial) =>
      frame.params?.['inputResponses'] === undefined
        ? { result: { resultType: 'input_required', inputRequests } }
        : { result: { dial } },
    );
    const remote = await connected(server, { offers: [answers] });
    const call = firstValueFrom(remote.request('tools/call'));
    await turn();
    server.pipes[0]?.end(lost());
    await turn();
    expect(server.pipes).toHaveLength(2);
    give?.({ roots: [] });
    expect(await call).toMatchObject({ dial: 2 });
  });
});
