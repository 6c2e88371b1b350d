import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EventWriter } from '../src/server/event-writer.js';

/** A response that takes one piece at a time. */
function slowResponse() {
  const pieces: string[] = [];
  const failures: { code: string }[] = [];
  const pressure: boolean[] = [];
  const out = {
    write: (text: string) => (pieces.push(text), false),
    end: () => undefined,
    destroy: () => undefined,
    soon: (run: () => void) => queueMicrotask(run),
  };
  const writer = new EventWriter(out, {
    stallMs: 30_000,
    failed: (error) => void failures.push(error),
    pressure: (over) => void pressure.push(over),
  });
  return { writer, pieces, failures, pressure };
}

describe('fault 13: a stream', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('that takes a piece now and then is not stalled, however long a message takes', async () => {
    const { writer, pieces, failures } = slowResponse();
    const text = '😀'.repeat(500_000);
    let taken = false;
    const sent = writer.send(text)?.then(() => (taken = true));
    while (pieces.join('').length < text.length) {
      vi.advanceTimersByTime(29_999);
      expect(taken).toBe(false);
      writer.onDrain();
    }
    writer.onDrain();
    await sent;
    expect(failures).toEqual([]);
    expect(pieces.length).toBeGreaterThan(10);
    // Each piece is encoded separately.
    const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
    expect(bytes.toString()).toBe(`event: message\ndata: ${text}\n\n`);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that takes nothing for 30 s is', async () => {
    const { writer, failures } = slowResponse();
    void writer.send('{}');
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
    const { writer, pressure } = slowResponse();
    void writer.send('{}');
    await Promise.resolve();
    for (let at = 0; at < count - 1; at += 1) void writer.send('x'.repeat(length));
    expect(pressure).toEqual([]);
    for (let at = 0; at < 2; at += 1) void writer.send('x'.repeat(length));
    expect(pressure).toEqual([true]);
    for (let at = 0; at < 100 && pressure.length < 2; at += 1) writer.onDrain();
    expect(pressure).toEqual([true, false]);
  });

  test('with a backlog of 64 Mi characters is ended', async () => {
    const { writer, failures } = slowResponse();
    const text = 'x'.repeat(4 * 1024 * 1024);
    void writer.send('{}');
    await Promise.resolve();
    for (let at = 0; at < 15; at += 1) void writer.send(text);
    expect(failures).toEqual([]);
    void writer.send(text);
    expect(failures).toMatchObject([{ code: 'OVERFLOW' }]);
  });

  test('writes all of one turn at once, and nothing is accepted without an end', () => {
    const { writer, pieces } = slowResponse();
    const first = [writer.send('{"a":1}'), writer.send('{"a":2}')];
    expect([first, pieces]).toEqual([[undefined, undefined], []]);
    expect(writer.send('x'.repeat(70_000))).toBeInstanceOf(Promise);
    expect(pieces[0]?.startsWith('event: message\ndata: {"a":1}\n\nevent: message\ndata: {"a":2}\n\n')).toBe(
      true,
    );
  });
});
