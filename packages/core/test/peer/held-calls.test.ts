import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Calls } from '../../src/peer/calls.js';
import { pausesOf } from '../../src/peer/deadline-pauses.js';

// The timers of other tests in this process are not those of the table.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A table of calls, and whether it keeps the process alive by a timer. */
function table() {
  const made = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  const held = () => {
    const over = new Set(cleared.mock.calls.map(([timer]) => timer));
    return made.mock.results.some(({ value }) => !over.has(value) && value.hasRef() === true);
  };
  const calls = new Calls({
    perRequestLanes: false,
    maxInFlight: 3,
    send: () => undefined,
    expired: () => undefined,
    teardownFailed: () => undefined,
  });
  const ends: string[] = [];
  const begin = (timeoutMs = 60_000, totalTimeoutMs = Infinity) =>
    calls.start(
      'own/call',
      () => undefined,
      { idleTimeoutMs: timeoutMs, totalTimeoutMs },
      { result: () => ends.push('result'), failed: ({ name }) => ends.push(name) },
    );
  return { calls, begin, ends, holding: () => Number(held()) };
}

it('a call that waits keeps the process alive, and one that ended does not', () => {
  const { calls, begin, holding } = table();
  const ends: ((id: number) => unknown)[] = [
    (id) => calls.settle({ jsonrpc: '2.0', id, result: {} }),
    (id) => calls.settle({ jsonrpc: '2.0', id, error: { code: 1, message: 'no' } }),
    (id) => calls.malformed(id, 'is invalid'),
  ];
  for (const end of ends) {
    const { id } = begin();
    expect(holding()).toBe(1);
    end(id);
    end(id);
    expect(holding()).toBe(0);
  }
  const dropped = begin();
  calls.drop(dropped);
  calls.drop(dropped);
  expect(holding()).toBe(0);
});

it('the last of several releases it', () => {
  const { calls, begin, holding } = table();
  const [first, second, third] = [begin(), begin(10), begin(90_000)];
  calls.drop(first);
  calls.drop(third);
  expect(holding()).toBe(1);
  calls.drop(second);
  expect(holding()).toBe(0);
});

it('a listen does not, nor a call without any deadline, nor one that is refused for lack of capacity', () => {
  const { calls, begin, holding } = table();
  const listen = begin();
  calls.unlimited(listen);
  begin(Infinity);
  expect(holding()).toBe(0);
  const other = begin();
  expect(holding()).toBe(1);
  calls.unlimited(begin());
  calls.drop(listen);
  calls.drop(other);
  expect(holding()).toBe(0);
});

it('the end of the connection releases it, whatever arrives for its calls later', () => {
  const { calls, begin, holding, ends } = table();
  const [call] = [begin(), begin()];
  calls.failAll(new Error('gone'));
  calls.unlimited(call);
  expect([holding(), ends]).toEqual([0, ['Error', 'Error']]);
  begin();
  expect(holding()).toBe(0);
});

it('a deadline releases it, and holds it for the calls that have a later one', () => {
  const { begin, holding, ends, calls } = table();
  begin(10);
  const later = begin(60_000);
  vi.advanceTimersByTime(10);
  expect(ends).toEqual(['RxmcpError']);
  expect(holding()).toBe(1);
  calls.drop(later);
  expect(holding()).toBe(0);
});

it('a call that stands still while a question is answered holds it, beyond its deadline', () => {
  const { calls, begin, ends, holding } = table();
  const { id } = begin(60_000);
  const go = calls.pause(pausesOf);
  vi.advanceTimersByTime(120_000);
  expect([ends, holding()]).toEqual([[], 1]);
  calls.settle({ jsonrpc: '2.0', id, result: {} });
  expect(holding()).toBe(0);
  // The question is still there: it holds for the next call, and alone it does not.
  const next = begin(60_000);
  vi.advanceTimersByTime(120_000);
  expect(holding()).toBe(1);
  calls.drop(next);
  calls.pause(pausesOf)();
  expect(holding()).toBe(0);
  begin(60_000);
  go();
  expect(holding()).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect([ends, holding()]).toEqual([['result', 'RxmcpError'], 0]);
});
