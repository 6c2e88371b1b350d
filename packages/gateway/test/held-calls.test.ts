import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HeldCalls } from '../src/held-calls.js';

const call = () => ({
  attach: () => undefined,
  detach: () => undefined,
  cancel: vi.fn<() => void>(),
});

describe('calls that wait for an answer', () => {
  it('are taken once', () => {
    const held = new HeldCalls();
    const one = call();
    held.add('one', one);
    expect(held.take('one')).toBe(one);
    expect(held.take('one')).toBeUndefined();
    expect(one.cancel).not.toHaveBeenCalled();
  });

  it('are cancelled after 10 minutes', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const held = new HeldCalls();
    const [one, two] = [call(), call()];
    held.add('one', one);
    held.add('two', two);
    held.take('two');
    vi.advanceTimersByTime(600_000);
    expect(one.cancel).toHaveBeenCalledOnce();
    expect(two.cancel).not.toHaveBeenCalled();
    expect(held.take('one')).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are at most 1,024: one more ends the oldest', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const held = new HeldCalls();
    const calls = Array.from({ length: 1_025 }, call);
    for (const [at, each] of calls.entries()) held.add(String(at), each);
    expect(calls.filter(({ cancel }) => cancel.mock.calls.length > 0)).toEqual([calls[0]]);
    expect(vi.getTimerCount()).toBe(1_024);
  });
});
