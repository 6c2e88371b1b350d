import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HeldCalls } from '../src/held-calls.js';

const call = (id: string, holder = 'ada') => ({
  id,
  holder,
  attach: () => undefined,
  detach: () => undefined,
  cancel: vi.fn<() => void>(),
  displace: vi.fn<() => void>(),
});

/** Adds calls that leave when they are displaced. Returns how many are displaced, by caller. */
function adding(held: HeldCalls): {
  readonly displaced: Record<string, number>;
  add(holder: string, count: number): ReturnType<typeof call>[];
} {
  const displaced: Record<string, number> = {};
  return {
    displaced,
    add: (holder, count) =>
      Array.from({ length: count }, (_, at) => {
        const one = call(`${holder} ${at}`, holder);
        one.displace.mockImplementation(() => {
          displaced[holder] = (displaced[holder] ?? 0) + 1;
          held.remove(one);
        });
        held.add(one);
        return one;
      }),
  };
}

describe('calls that wait for an answer', () => {
  it('are taken once', () => {
    const held = new HeldCalls();
    const one = call('one');
    held.add(one);
    held.hold(one);
    expect(held.take('one')).toBe(one);
    expect(held.take('one')).toBeUndefined();
    expect(one.cancel).not.toHaveBeenCalled();
  });

  it('leave no alarm once they are removed, also without an open ask', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const held = new HeldCalls();
    const one = call('one');
    held.hold(one);
    held.remove(one);
    expect([held.take('one'), vi.getTimerCount()]).toEqual([undefined, 0]);
  });

  it('are cancelled after 10 minutes without a request', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const held = new HeldCalls();
    const all = ['one', 'taken', 'removed', 'with a request'].map((id) => call(id));
    const [one, taken, removed] = all as [ReturnType<typeof call>, ...ReturnType<typeof call>[]];
    one.cancel.mockImplementation(() => held.remove(one));
    for (const each of all) held.add(each);
    for (const each of all.slice(0, 3)) held.hold(each);
    held.take('taken');
    if (removed !== undefined) held.remove(removed);
    vi.advanceTimersByTime(600_000);
    expect(all.filter(({ cancel }) => cancel.mock.calls.length > 0)).toEqual([one]);
    expect(taken?.cancel).not.toHaveBeenCalled();
    expect(held.take('one')).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are at most 64 of one caller: one more ends its oldest', () => {
    const { add, displaced } = adding(new HeldCalls());
    const all = add('ada', 65);
    expect(displaced).toEqual({ ada: 1 });
    expect(all[0]?.displace).toHaveBeenCalledOnce();
  });

  it('are at most 128: one more ends the oldest of the caller that has most', () => {
    const { add, displaced } = adding(new HeldCalls());
    add('ada', 1);
    const one = add('mallory', 64);
    add('eve', 63);
    expect(displaced).toEqual({});
    add('alan', 1);
    expect(displaced).toEqual({ mallory: 1 });
    expect(one[0]?.displace).toHaveBeenCalledOnce();
    add('eve', 200);
    add('mallory', 200);
    expect(Object.keys(displaced)).toEqual(['mallory', 'eve']);
  });

  it('are counted once, however much they ask', () => {
    const held = new HeldCalls();
    const [one] = adding(held).add('ada', 1);
    const { add, displaced } = adding(held);
    for (let ask = 0; ask < 100; ask += 1) if (one !== undefined) held.add(one);
    add('ada', 63);
    expect(displaced).toEqual({});
    expect(one?.displace).not.toHaveBeenCalled();
  });
});
