import { expect, it, vi } from 'vitest';
import { MemoryBudget } from '../../src/index.js';
import { SendQueue, UnreadOutput } from '../../src/internal.js';

const step = 16 * 1024;

it('is charged in steps, and not at all where it fits into the buffers of a socket', () => {
  const memory = new MemoryBudget({ maxBytes: 10 * step });
  const charge = vi.spyOn(memory, 'tryCharge');
  const unread = new UnreadOutput(memory, 'ada');
  const held = [0, step - 1, step, step + 1, 2 * step, 2 * step + 1, step, 10].map(
    (bytes) => (unread.hold(bytes), memory.heldBytes / step),
  );
  expect(held).toEqual([0, 0, 1, 2, 2, 3, 1, 0]);
  expect(charge).toHaveBeenCalledTimes(3);
});

it('is refused beyond the share of its holder, keeps its charge until then, and releases all at the end', () => {
  const memory = new MemoryBudget({ maxBytes: 10 * step });
  const [one, other] = [new UnreadOutput(memory, 'ada'), new UnreadOutput(memory, 'ada')];
  expect([one.hold(4 * step), other.hold(2 * step), other.hold(step)]).toEqual([true, false, true]);
  expect(other.error()).toMatchObject({
    code: 'OVERFLOW',
    message: expect.stringContaining('that ada has not read'),
  });
  expect(new UnreadOutput(memory, 'bob').hold(5 * step)).toBe(true);
  one.release();
  other.release();
  expect(memory.stats().largest).toEqual([{ holder: 'bob', heldBytes: 5 * step }]);
});

it('of a connection that has ended takes nothing, since what is sent to it is dropped', () => {
  const memory = new MemoryBudget({ maxBytes: 10 * step });
  const unread = new UnreadOutput(memory, 'ada');
  unread.hold(2 * step);
  unread.end();
  expect([memory.heldBytes, unread.hold(20 * step), memory.heldBytes]).toEqual([0, true, 0]);
});

it('of a queue counts what waits in it and in its stream, and ends it where it is refused', async () => {
  const memory = new MemoryBudget({ maxBytes: 20 * step });
  new UnreadOutput(memory, 'ada').hold(step);
  const failures: { code: string }[] = [];
  let buffered = 0;
  const queue = new SendQueue({
    write: (text) => ((buffered += text.length), false),
    schedule: (flush) => queueMicrotask(flush),
    failed: (error) => void failures.push(error),
    writeTimeoutMs: 30_000,
    unread: new UnreadOutput(memory, 'ada'),
    buffered: () => buffered,
  });
  void queue.send('x'.repeat(2 * step));
  await Promise.resolve();
  expect(memory.heldBytes).toBe(3 * step);
  void queue.send('x'.repeat(step));
  expect(memory.heldBytes).toBe(4 * step);
  // The stream takes what it was given, then the next message.
  buffered = 0;
  queue.onDrain();
  expect(memory.heldBytes).toBe(2 * step);
  buffered = 0;
  queue.onDrain();
  expect(memory.heldBytes).toBe(step);
  expect(failures).toEqual([]);
  void queue.send('x'.repeat(11 * step));
  await Promise.resolve();
  expect(failures).toMatchObject([{ code: 'OVERFLOW' }]);
});

it('of a large message that is refused is not reported as sent', async () => {
  const memory = new MemoryBudget({ maxBytes: step });
  const queue = new SendQueue({
    write: () => false,
    failed: () => undefined,
    writeTimeoutMs: 30_000,
    unread: new UnreadOutput(memory, 'ada'),
  });
  expect(queue.send('x'.repeat(2 * 1024 * 1024))).toBeInstanceOf(Promise);
});

it('that is refused makes room at once, so that other queues of its holder are not cut for it', async () => {
  const memory = new MemoryBudget({ maxBytes: 20 * step });
  const failed = [vi.fn(), vi.fn()];
  const [one, other] = failed.map(
    (fail) =>
      new SendQueue({
        write: () => false,
        schedule: (flush) => queueMicrotask(flush),
        failed: fail,
        writeTimeoutMs: 30_000,
        unread: new UnreadOutput(memory, 'ada'),
      }),
  );
  for (const queue of [one, other]) void queue?.send('{}');
  await Promise.resolve();
  for (const queue of [one, other]) void queue?.send('x'.repeat(5 * step));
  for (const queue of [one, other]) void queue?.send('x'.repeat(step));
  expect(failed.map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  other?.stop();
});
