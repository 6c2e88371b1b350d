import { MemoryBudget } from '@rxmcp/transport';
import { UnreadOutput } from '@rxmcp/transport/internal';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Backlog } from '../src/channel/backlog.js';

/** A backlog whose socket holds what this test says. */
function backlog(memory?: MemoryBudget, counts?: (text: string) => boolean) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = { buffered: 1_000 };
  const pressure: boolean[] = [];
  const failed = vi.fn();
  const waits = new Backlog({
    buffered: () => socket.buffered,
    pressure: (over) => void pressure.push(over),
    failed,
    writeTimeoutMs: 30_000,
    unread: memory && new UnreadOutput(memory, 'ada'),
    ...(counts && { counts }),
  });
  onTestFinished(() => waits.stop());
  return { socket, waits, pressure, failed };
}

/** More messages than may wait; gives what the last one waits for, as whether it is over. */
function fill(waits: Backlog): { isOver: boolean } {
  const last = { isOver: false };
  for (let sent = 0; sent <= 1_024; sent += 1) {
    void waits.sent('{}')?.then(() => (last.isOver = true));
  }
  expect(waits.isFull).toBe(true);
  return last;
}

test('a ping after the last write, which is never confirmed, does not keep sends waiting', async () => {
  const { socket, waits, pressure, failed } = backlog();
  const last = fill(waits);
  // The write is done, and the ping behind it is not.
  socket.buffered = 2;
  waits.moved();
  expect(waits.isFull).toBe(true);
  socket.buffered = 0;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(last.isOver).toBe(true);
  expect(pressure).toEqual([true, false]);
  expect(failed).not.toHaveBeenCalled();
  // And counting begins anew.
  socket.buffered = 1_000;
  expect(waits.sent('{}')).toBeUndefined();
});

test('where only some messages count, reading pauses after 1,024 of those that wait, and resumes with the sends', () => {
  const { socket, waits, pressure } = backlog(undefined, (text) => text === 'counts');
  fill(waits);
  for (let sent = 0; sent < 2_000; sent += 1) void waits.sent('{}');
  for (let sent = 0; sent < 1_024; sent += 1) void waits.sent('counts');
  expect([pressure, waits.isOverLimit]).toEqual([[], false]);
  void waits.sent('counts');
  expect([pressure, waits.isOverLimit]).toEqual([[true], true]);
  socket.buffered = 0;
  waits.moved();
  expect([pressure, waits.isOverLimit]).toEqual([[true, false], false]);
});

test('sends that the peer does not take end with STALLED all the same', async () => {
  const { waits, failed } = backlog();
  fill(waits);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(failed).toHaveBeenCalledOnce();
});

test('what is left of a turn is charged, and one that is refused makes no room until its socket has closed', () => {
  const memory = new MemoryBudget({ maxBytes: 1024 * 1024 });
  const [one, other] = [backlog(memory), backlog(memory)];
  for (const { socket, waits } of [one, other]) {
    socket.buffered = 16 * 16_384;
    waits.watch();
  }
  expect(memory.heldBytes).toBe(32 * 16_384);
  for (const { socket, waits } of [one, other]) {
    socket.buffered += 16_384;
    waits.watch();
  }
  for (const { failed } of [one, other])
    expect(failed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'OVERFLOW' }));
  expect(memory.heldBytes).toBe(32 * 16_384);
});
