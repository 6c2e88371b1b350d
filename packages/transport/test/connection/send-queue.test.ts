import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SendQueue } from '../../src/internal.js';

/** A response that takes one piece at a time. */
function slowResponse() {
  const pieces: string[] = [];
  const failures: { code: string }[] = [];
  const pressure: boolean[] = [];
  const queue = new SendQueue({
    write: (text) => (pieces.push(text), false),
    schedule: (flush) => queueMicrotask(flush),
    maxBurstChars: 64 * 1024,
    writeTimeoutMs: 30_000,
    failed: (error) => void failures.push(error),
    pressure: (over) => void pressure.push(over),
  });
  return { queue, pieces, failures, pressure };
}

describe('fault 13: a stream', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('that takes a piece now and then is no stalled one, however long a message takes', async () => {
    const { queue, pieces, failures } = slowResponse();
    const text = '😀'.repeat(500_000);
    let taken = false;
    const sent = queue.send(text)?.then(() => (taken = true));
    while (pieces.join('').length < text.length) {
      vi.advanceTimersByTime(29_999);
      expect(taken).toBe(false);
      queue.onDrain();
    }
    queue.onDrain();
    await sent;
    expect(failures).toEqual([]);
    expect(pieces.length).toBeGreaterThan(10);
    // Each piece is encoded separately.
    const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
    expect(bytes.toString()).toBe(text);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that takes nothing for 30 s is', async () => {
    const { queue, failures } = slowResponse();
    void queue.send('{}');
    await Promise.resolve();
    vi.advanceTimersByTime(29_999);
    expect(failures).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(failures).toMatchObject([{ code: 'STALLED' }]);
  });

  test.each([
    ['1,024 messages', 1_024, 2],
    ['1 Mi characters', 16, 64 * 1024],
  ])('presses on what feeds it beyond %s, until it has drained', async (_, count, length) => {
    const { queue, pressure } = slowResponse();
    void queue.send('{}');
    await Promise.resolve();
    for (let at = 0; at < count - 1; at += 1) void queue.send('x'.repeat(length));
    expect(pressure).toEqual([]);
    for (let at = 0; at < 2; at += 1) void queue.send('x'.repeat(length));
    expect(pressure).toEqual([true]);
    for (let at = 0; at < 100 && pressure.length < 2; at += 1) queue.onDrain();
    expect(pressure).toEqual([true, false]);
  });

  test('that is given 64 Mi characters more than it takes is over', async () => {
    const { queue, failures } = slowResponse();
    const text = 'x'.repeat(4 * 1024 * 1024 + 1);
    void queue.send('{}');
    await Promise.resolve();
    for (let at = 0; at < 15; at += 1) void queue.send(text);
    expect(failures).toEqual([]);
    void queue.send(text);
    expect(failures).toMatchObject([{ code: 'OVERFLOW' }]);
  });

  test('writes all of one turn at once, and nothing is accepted without an end', () => {
    const { queue, pieces } = slowResponse();
    const first = [queue.send('{"a":1}\n'), queue.send('{"a":2}\n')];
    expect([first, pieces]).toEqual([[undefined, undefined], []]);
    expect(queue.send('x'.repeat(70_000))).toBeInstanceOf(Promise);
    expect(pieces[0]?.startsWith('{"a":1}\n{"a":2}\nxxx')).toBe(true);
  });
});

test('a burst ends after some microtasks without a text, and not between two texts', async () => {
  const written: string[] = [];
  const queue = new SendQueue({
    write: (text) => written.push(text) > 0,
    writeTimeoutMs: 30_000,
    failed: () => undefined,
  });
  const microtasks = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) await Promise.resolve();
  };
  for (const text of ['a', 'b']) {
    void queue.send(text);
    await microtasks(5);
  }
  expect(written).toEqual([]);
  await microtasks(10);
  expect([written, queue.isEmpty]).toEqual([['ab'], true]);
});

test('a stream that throws ends the connection', async () => {
  const failed = vi.fn();
  const write = (): boolean => {
    throw new Error('EPIPE');
  };
  const queue = new SendQueue({ write, writeTimeoutMs: 30_000, failed, schedule: queueMicrotask });
  void queue.send('a');
  await Promise.resolve();
  expect(failed.mock.calls).toMatchObject([[{ code: 'CONNECTION_LOST' }]]);
});
