import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ProcessTree } from '../src/client/process-tree.js';
import { watchParent } from '../src/server/serve-stdio.js';
import { dialPeer } from './child.js';

test('a close is patient for 2 s after the end of input and for 2 s after SIGTERM', async () => {
  const end = vi.spyOn(ProcessTree.prototype, 'end');
  onTestFinished(() => end.mockRestore());
  const { connection } = await dialPeer(['echo']);
  await connection.close();
  expect(end).toHaveBeenCalledExactlyOnceWith(2_000, 2_000);
});

test('a leader has its time before SIGTERM', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const leader = Object.assign(new EventEmitter(), { pid: 2 ** 30 }) as unknown as ChildProcess;
  const tree = new ProcessTree(leader);
  const signals: unknown[] = [];
  vi.spyOn(tree, 'signal').mockImplementation((signal) => {
    signals.push(signal);
    leader.emit('exit', null, signal);
  });
  const ended = tree.end(2_000, 2_000);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(signals).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(signals).toEqual(['SIGTERM']);
  await ended;
});

test('fault 2: the death of a parent is noticed within half a second, once', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { ppid } = process;
  const become = (parent: number): void =>
    void Object.defineProperty(process, 'ppid', { get: () => parent, configurable: true });
  onTestFinished(() => {
    vi.useRealTimers();
    become(ppid);
  });
  const orphaned = vi.fn();
  watchParent(orphaned);
  vi.advanceTimersByTime(10_000);
  expect(orphaned).not.toHaveBeenCalled();
  become(ppid + 1);
  vi.advanceTimersByTime(500);
  vi.advanceTimersByTime(10_000);
  expect(orphaned).toHaveBeenCalledOnce();
});
