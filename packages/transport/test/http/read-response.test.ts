import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  countEvent,
  HeldBytes,
  readChunks,
  readRemainder,
  readText,
  readTime,
  retryAfter,
  readPieces,
} from '../../src/internal.js';
import { SseReader } from '@rxmcp/jsonrpc/internal';
import { MemoryBudget } from '../../src/index.js';

afterEach(() => void vi.useRealTimers());

/** A response with a body in these pieces, which ends with them or stays open, and whether the body was cancelled. */
function responseOf(pieces: readonly (string | Uint8Array)[], isOpen = false, headers = {}) {
  const cancelled = vi.fn();
  const body = new ReadableStream<Uint8Array>({
    start(to) {
      for (const piece of pieces)
        to.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      if (!isOpen) to.close();
    },
    cancel: () => cancelled(),
  });
  return { response: new Response(body, { headers }), cancelled };
}

const { signal } = new AbortController();

describe('the text of a response', () => {
  it('is read up to a limit of bytes', async () => {
    const pieces = ['aä', new Uint8Array([0xc3]), new Uint8Array([0xa4])];
    expect(await readText(responseOf(pieces).response, 5, signal)).toBe('aää');
    expect(await readText(new Response(null), 0, signal)).toBe('');
    const { response, cancelled } = responseOf(pieces, true);
    await expect(readText(response, 4, signal)).rejects.toMatchObject({
      code: 'OVERFLOW',
      message: 'the response is larger than 4 bytes',
    });
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it('is not read where more than the limit is declared', async () => {
    const { response, cancelled } = responseOf(['a'], true, { 'content-length': '5' });
    await expect(readText(response, 4, signal)).rejects.toMatchObject({ code: 'OVERFLOW' });
    expect(cancelled).toHaveBeenCalledOnce();
    expect(await readText(responseOf(['a'], false, { 'content-length': '4' }).response, 4, signal)).toBe('a');
  });

  it('is rejected where it is no UTF-8', async () => {
    await expect(readText(responseOf([new Uint8Array([0xc3])]).response, 9, signal)).rejects.toMatchObject({
      code: 'PARSE_ERROR',
    });
  });

  it('ends at an abort, before and while it is read', async () => {
    const before = responseOf(['a'], true);
    await readText(before.response, 9, AbortSignal.abort());
    const abort = new AbortController();
    const during = responseOf(['a'], true);
    const text = readText(during.response, 9, abort.signal);
    abort.abort();
    expect(await text).toBe('a');
    expect([before.cancelled.mock.calls.length, during.cancelled.mock.calls.length]).toEqual([1, 1]);
  });

  it('is charged beyond 64 KiB while it arrives, and refused where there is no room', async () => {
    const budget = new MemoryBudget({ maxBytes: 200 * 1_024, maxShare: 1 });
    const charge = vi.spyOn(budget, 'tryCharge');
    const read = (count: number) => {
      const piece = new Uint8Array(64 * 1_024).fill(0x61);
      const { response } = responseOf(Array.from({ length: count }, () => piece));
      return readText(response, Infinity, signal, new HeldBytes(budget, 'server'));
    };
    await read(1);
    expect(charge).not.toHaveBeenCalled();
    expect(await read(2)).toHaveLength(128 * 1_024);
    expect([charge.mock.calls.length, budget.heldBytes]).toEqual([1, 0]);
    await expect(read(4)).rejects.toMatchObject({ code: 'OVERFLOW' });
    expect(budget.heldBytes).toBe(0);
  });
});

it('responses that arrive together are read 2 MiB in one turn of the event loop', async () => {
  const [piece, readers] = [new Uint8Array(64 * 1_024), 16];
  const pieces = Array.from({ length: 32 }, () => piece);
  let read = 0;
  const perTurn: number[] = [];
  let isOver = false;
  const turn = (): void => {
    perTurn.push(read);
    read = 0;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const bodies = Array.from({ length: readers }, () => responseOf(pieces).response.body as ReadableStream);
  await Promise.all(
    bodies.map((body) => readChunks(body, signal, ({ length }) => void (read += length), readTime)),
  );
  isOver = true;
  turn();
  expect(perTurn.reduce((sum, bytes) => sum + bytes)).toBe(readers * pieces.length * piece.length);
  expect(Math.max(...perTurn)).toBe(2 * 1_048_576);
});

it('texts that have arrived together are parsed 2 MiB in one turn of the event loop', async () => {
  // They are read side by side, so that all of them end in one turn.
  const pieces = Array.from({ length: 16 }, () => 'x'.repeat(65_536));
  const readAll = Array.from({ length: 8 }, () =>
    readText(responseOf(pieces).response, Infinity, signal, undefined, readTime),
  );
  let read = 0;
  const perTurn: number[] = [];
  for (const text of readAll) void text.then(() => (read += 1));
  while (read < readAll.length) {
    const before = read;
    await new Promise((resolve) => setImmediate(resolve));
    perTurn.push(read - before);
  }
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2);
});

describe('chunks of events that arrive together', () => {
  it('are parsed in turns, each in its own asynchronous context', async () => {
    const of = new AsyncLocalStorage<number>();
    const seen: (number | undefined)[] = [];
    const onEvent = (): void => {
      countEvent(0);
      if (seen.at(-1) !== of.getStore()) seen.push(of.getStore());
    };
    const chunk = Buffer.from('data:x\n\n'.repeat(1_000));
    const parsed = [1, 2].map((stream) =>
      of.run(stream, () => readPieces(new SseReader({ onEvent, onFault: () => undefined }), chunk)),
    );
    await Promise.all(parsed);
    expect(new Set(seen)).toEqual(new Set([1, 2]));
    expect(seen.length).toBeGreaterThan(16);
  });

  it.each(['\n', ':\n', 'x\n', 'data:x\n'])('are parsed 32,768 lines in one turn: %j', async (line) => {
    let read = 0;
    const reader = new SseReader({ onFault: () => undefined });
    const parsed = readPieces(reader, Buffer.from(line.repeat(100_000))).then(() => (read = Infinity));
    const perTurn: number[] = [];
    for (let before = 0; read < Infinity; before = reader.lines) {
      await new Promise(setImmediate);
      perTurn.push(reader.lines - before);
    }
    await parsed;
    expect(Math.max(...perTurn)).toBeLessThan(40_000);
  });
});

describe('the rest of a response that has failed', () => {
  it('is what comes in time', async () => {
    vi.useFakeTimers();
    expect(await readRemainder(responseOf(['why']).response, 100, signal)).toBe('why');
    expect(vi.getTimerCount()).toBe(0);
    const late = readRemainder(responseOf(['wh'], true).response, 100, signal);
    await vi.advanceTimersByTimeAsync(100);
    expect(await late).toBe('wh');
  });

  it('is empty where it cannot be read', async () => {
    expect(await readRemainder(responseOf(['x'.repeat(64 * 1_024 + 1)]).response, 100, signal)).toBe('');
    expect(await readRemainder(responseOf([new Uint8Array([0xff])]).response, 100, signal)).toBe('');
    const abort = new AbortController();
    const left = readRemainder(responseOf(['wh'], true).response, 2 ** 30, abort.signal);
    abort.abort();
    expect(await left).toBe('wh');
  });
});

it.each([
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', 0],
  ['2', 2_000],
  ['3600', 3_600_000],
  ['3601', 3_600_000],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 10_000],
  ['Wed, 31 Dec 1969 23:59:59 GMT', 0],
  ['Fri, 02 Jan 1970 00:00:00 GMT', 3_600_000],
])('a Retry-After of %j is %j ms', (value, ms) => {
  vi.useFakeTimers({ now: 0 });
  expect(retryAfter(value)).toBe(ms);
});
