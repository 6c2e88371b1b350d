import { expect, it, vi } from 'vitest';
import { onAbort, untilAborted } from '../../src/internal.js';

it('calls all callbacks of a signal with one listener, until each is forgotten', () => {
  const controller = new AbortController();
  const add = vi.spyOn(controller.signal, 'addEventListener');
  const remove = vi.spyOn(controller.signal, 'removeEventListener');
  const calls: string[] = [];
  const forget = ['a', 'b', 'c'].map((name) => onAbort(controller.signal, () => calls.push(name)));
  forget[1]?.();
  forget[1]?.();
  expect([add.mock.calls.length, remove.mock.calls.length]).toEqual([1, 0]);
  controller.abort();
  expect(calls).toEqual(['a', 'c']);
  forget.forEach((each) => each());
  expect(remove).not.toHaveBeenCalled();
});

it('leaves no listener once all callbacks are forgotten, and adds one for the next', () => {
  const controller = new AbortController();
  const add = vi.spyOn(controller.signal, 'addEventListener');
  const remove = vi.spyOn(controller.signal, 'removeEventListener');
  onAbort(controller.signal, () => undefined)();
  expect(remove).toHaveBeenCalledOnce();
  const called = vi.fn();
  onAbort(controller.signal, called);
  controller.abort();
  expect([add.mock.calls.length, called.mock.calls.length]).toEqual([2, 1]);
});

it('does not call a callback that an earlier one has forgotten', () => {
  const controller = new AbortController();
  const second = vi.fn();
  onAbort(controller.signal, () => forget());
  const forget = onAbort(controller.signal, second);
  controller.abort();
  expect(second).not.toHaveBeenCalled();
});

it('ends a wait with the reason of the signal, and listens no longer than that', async () => {
  const error = (reason: unknown): Error => new Error(`left: ${String(reason)}`);
  const never = new Promise<never>(() => undefined);
  await expect(untilAborted(never, AbortSignal.abort('before'), error)).rejects.toThrow('left: before');
  const controller = new AbortController();
  const waits = untilAborted(never, controller.signal, error);
  controller.abort('now');
  await expect(waits).rejects.toThrow('left: now');
  const other = new AbortController();
  const remove = vi.spyOn(other.signal, 'removeEventListener');
  expect(await untilAborted(Promise.resolve(1), other.signal, error)).toBe(1);
  await expect(untilAborted(Promise.reject(new Error('own')), undefined, error)).rejects.toThrow('own');
  expect(remove).toHaveBeenCalledOnce();
});
