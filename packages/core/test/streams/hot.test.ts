import { take } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FaultLog } from '../../src/streams/fault-log.js';
import { hot } from '../../src/streams/hot.js';
import type { StateSink } from '../../src/streams/state.js';
import { state } from '../../src/streams/state.js';
import { status } from '../../src/streams/status.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

afterEach(() => void vi.restoreAllMocks());

/** One way to emit, for every kind of stream that has many subscribers. */
const kinds = {
  event() {
    const { stream, emit } = hot<number>();
    return { stream, emit };
  },
  status() {
    const { stream, set } = status(0);
    return { stream, emit: set };
  },
  state() {
    let sink: StateSink<number> | undefined;
    const stream = state<number>((to) => {
      sink = to;
      return () => undefined;
    });
    return { stream, emit: (n: number) => sink?.next(n) };
  },
};

describe.each(Object.entries(kinds))(
  '%s: what one subscriber does inside next affects no other',
  (name, make) => {
    const start = name === 'status' ? [0] : [];

    it('throws', async () => {
      const thrown: unknown[] = [];
      const { config } = await import('rxjs');
      config.onUnhandledError = (e) => void thrown.push(e);
      const { stream, emit } = make();
      const seen: number[] = [];
      stream.subscribe((n) => {
        if (n > 0) throw new Error('mine');
      });
      stream.subscribe((n) => seen.push(n));
      emit(1);
      emit(2);
      expect(seen).toEqual([...start, 1, 2]);
      await new Promise((resolve) => setTimeout(resolve, 1));
      config.onUnhandledError = null;
      expect(thrown.length).toBeGreaterThan(0);
    });

    it('unsubscribes itself and another', () => {
      const { stream, emit } = make();
      const seen: number[] = [];
      stream.pipe(take(start.length + 1)).subscribe();
      const leaver = stream.subscribe((n) => void (n === 1 && other.unsubscribe()));
      const other = stream.subscribe(() => seen.push(-1));
      stream.subscribe((n) => seen.push(n));
      seen.length = 0;
      emit(1);
      leaver.unsubscribe();
      emit(2);
      expect(seen).toEqual([1, 2]);
    });

    it('emits again: every subscriber gets both, in the same order', () => {
      const { stream, emit } = make();
      const seen: number[] = [];
      stream.subscribe((n) => void (n === 1 && emit(2)));
      stream.subscribe((n) => seen.push(n));
      emit(1);
      expect(seen).toEqual([...start, 1, 2]);
    });

    it('emits 5,000 deep without a deep stack', () => {
      const { stream, emit } = make();
      let last = 0;
      stream.subscribe((n) => void (n > 0 && n < 5_000 && emit(n + 1)));
      stream.subscribe((n) => void (last = n));
      emit(1);
      expect(last).toBe(5_000);
    });
  },
);

describe('status: the value of the moment at once, never an error, completes after closed with its cause', () => {
  it('of a remote', async () => {
    const server = rawServer(() => undefined, {}, { redialable: false });
    const remote = await connected(server);
    const seen: unknown[] = [];
    remote.status$.subscribe({
      next: (s) => seen.push(s.state),
      error: () => seen.push('error'),
      complete: () => seen.push('complete'),
    });
    expect(seen).toEqual(['open']);
    const cause = lost();
    server.pipes[0]?.end(cause);
    await turn();
    expect(seen).toEqual(['open', 'closed', 'complete']);
    const late: unknown[] = [];
    remote.status$.subscribe({ next: (s) => late.push(s), complete: () => late.push('complete') });
    expect(late).toEqual([{ state: 'closed', cause }, 'complete']);
  });

  it('subscribing to it sends nothing, and unsubscribing neither', async () => {
    const server = rawServer(() => undefined);
    const remote = await connected(server);
    remote.status$.subscribe().unsubscribe();
    await turn();
    expect(server.calls()).toEqual([]);
  });

  it('a change that its own first value causes is not missed', () => {
    const { stream, set } = status(1);
    const seen: number[] = [];
    stream.subscribe((n) => {
      seen.push(n);
      if (n === 1) set(2);
    });
    expect(seen).toEqual([1, 2]);
  });
});

describe('faults$', () => {
  const fault = (code: string) => ({ code, message: code });

  it('replays the last 16, then continues', () => {
    const log = new FaultLog('test');
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (let i = 0; i < 20; i += 1) log.add(fault(`F${i}`));
    const seen: string[] = [];
    log.stream.subscribe((f) => seen.push(f.code));
    log.add(fault('F20'));
    expect(seen).toEqual(Array.from({ length: 17 }, (_, i) => `F${i + 4}`));
  });

  it('without a subscriber go to the console, once per code, without control characters', () => {
    const log = new FaultLog('test');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    log.add({ code: 'A', message: 'evil \u001b[2J\u202e text' });
    log.add(fault('A'));
    log.add({ ...fault('Q'), quiet: true });
    log.add(fault('B'));
    const seen: string[] = [];
    log.stream.subscribe(({ code }) => seen.push(code));
    expect(seen).toEqual(['A', 'A', 'Q', 'B']);
    log.add(fault('C'));
    expect(warn.mock.calls.map(([text]) => /: ([A-Q]): /.exec(String(text))?.[1])).toEqual(['A', 'B']);
    // eslint-disable-next-line no-control-regex
    expect(String(warn.mock.calls[0]?.[0])).not.toMatch(/[\u001b\u202e]/);
  });

  it('complete with the remote; a late subscriber gets the stored ones and the end', async () => {
    const server = rawServer(() => undefined);
    const remote = await connected(server);
    const seen: string[] = [];
    remote.faults$.subscribe({ next: (f) => seen.push(f.code), complete: () => seen.push('complete') });
    server.pipes[0]?.put({ jsonrpc: '2.0', id: 'x', result: {} });
    await turn();
    await remote.close();
    expect(seen).toEqual(['UNKNOWN_RESPONSE', 'complete']);
    const late: string[] = [];
    remote.faults$.subscribe({ next: (f) => late.push(f.code), complete: () => late.push('complete') });
    expect(late).toEqual(seen);
  });
});

it('wire$: emits while it is subscribed, no replay, completes with the remote', async () => {
  const server = rawServer(() => ({ result: {} }));
  const remote = await connected(server);
  remote.request('x/before').subscribe();
  await turn();
  const seen: unknown[] = [];
  const watching = remote.wire$.subscribe({
    next: ({ direction, message }) => seen.push([direction, (message as { method?: string }).method]),
    complete: () => seen.push('complete'),
  });
  remote.request('x/seen').subscribe();
  await turn();
  expect(seen).toEqual([
    ['out', 'x/seen'],
    ['in', undefined],
  ]);
  watching.unsubscribe();
  remote.request('x/after').subscribe();
  await turn();
  expect(seen).toHaveLength(2);
  remote.wire$.subscribe({ complete: () => seen.push('complete') });
  await remote.close();
  expect(seen.at(-1)).toBe('complete');
});
