import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DelayQueue } from '../../src/wrap/delay-queue.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function queueOf(...delays: number[]) {
  const queue = new DelayQueue(() => delays.shift() ?? 0);
  const ran: string[] = [];
  const add = (name: string): void => queue.add(() => ran.push(name));
  return { queue, ran, add };
}

it('runs each task after its delay and after the one before', () => {
  const { ran, add } = queueOf(100, 10, 50);
  for (const name of ['a', 'b', 'c']) add(name);
  vi.advanceTimersByTime(99);
  expect(ran).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ran).toEqual(['a', 'b', 'c']);
});

it('sets a timer for those that are due later, also once all before have run', () => {
  const { ran, add } = queueOf(10, 20, 5);
  add('a');
  add('b');
  vi.advanceTimersByTime(10);
  expect(ran).toEqual(['a']);
  vi.advanceTimersByTime(10);
  add('c');
  expect([ran, vi.getTimerCount()]).toEqual([['a', 'b'], 1]);
  vi.advanceTimersByTime(5);
  expect([ran, vi.getTimerCount()]).toEqual([['a', 'b', 'c'], 0]);
});

it('runs a task that a task adds after it, and not inside it', () => {
  const { queue, ran, add } = queueOf();
  queue.add(() => {
    add('inner');
    ran.push('outer');
  });
  expect(ran).toEqual([]);
  vi.runAllTimers();
  expect(ran).toEqual(['outer', 'inner']);
});

it('runs everything at once, or drops it', () => {
  const { queue, ran, add } = queueOf(100, 100, 100);
  add('a');
  queue.add(() => add('b'));
  queue.flush();
  expect([ran, vi.getTimerCount()]).toEqual([['a', 'b'], 0]);
  add('c');
  queue.clear();
  vi.advanceTimersByTime(1_000);
  expect([ran, vi.getTimerCount()]).toEqual([['a', 'b'], 0]);
});
