import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryBudget } from '../../src/index.js';
import { unreadOutputOf, WebExchange } from '../../src/internal.js';

const url = 'https://mcp.example:8443/mcp?a=1';
const piece = 64 * 1024;

function exchangeOf(init: RequestInit & { duplex?: 'half' } = {}) {
  const exchange = new WebExchange(new Request(url, init));
  const owner = { ended: vi.fn(), drained: vi.fn(), stalled: vi.fn() };
  exchange.owner = owner;
  return { exchange, owner };
}

const reader = async (exchange: WebExchange): Promise<ReadableStreamDefaultReader<Uint8Array>> =>
  ((await exchange.response).body as ReadableStream<Uint8Array>).getReader();

describe('the head of a web request', () => {
  it('has its parts, and the host of the URL where there is no header', () => {
    const { exchange } = exchangeOf({
      method: 'DELETE',
      headers: { 'mcp-param-a': '1', 'mcp-param-b': '2' },
    });
    const { method, target, secure } = exchange.head;
    expect({ method, target, secure }).toEqual({ method: 'DELETE', target: '/mcp?a=1', secure: true });
    expect(exchange.head.headerValues('host')).toEqual(['mcp.example:8443']);
    expect(exchange.head.headerValues('origin')).toEqual([]);
    expect(exchange.head.headerValues('mcp-param-a')).toEqual(['1']);
    expect(exchange.startingWith('mcp-param-')).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect([exchange.header('mcp-param-b'), exchange.header('origin')]).toEqual(['2', undefined]);
  });
});

describe('the body of a web request', () => {
  const limits = { maxMessageBytes: 100, budget: new MemoryBudget({ maxBytes: 1_000 }) };

  async function read(pieces: readonly (readonly number[])[], headers = {}): Promise<unknown> {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const bytes of pieces) controller.enqueue(new Uint8Array(bytes));
        controller.close();
      },
    });
    const { exchange } = exchangeOf({ method: 'POST', body, duplex: 'half', headers });
    return new Promise((resolve) => {
      exchange.read(limits, {
        body: (_exchange, text) => resolve({ text }),
        unreadable: (_exchange, problem) => resolve({ problem }),
        disconnected: () => resolve('disconnected'),
      });
    });
  }

  it.each([
    ['in pieces that part a character', [[0x61, 0xc3], [0xa4]], {}, { text: 'aä' }],
    ['with a byte order mark', [[0xef, 0xbb, 0xbf, 0x61]], {}, { text: 'a' }],
    ['that is empty', [], {}, { text: '' }],
    ['that is no UTF-8', [[0x61, 0xc3]], {}, { problem: 'not-utf-8' }],
    ['that is longer than the limit', [new Array<number>(101).fill(0x61)], {}, { problem: 'too-large' }],
    ['that declares more than the limit', [[0x61]], { 'content-length': '101' }, { problem: 'too-large' }],
    ['that is longer than it declares', [[0x61, 0x61]], { 'content-length': '1' }, { problem: 'broken' }],
  ])('%s', async (_what, pieces, headers, expected) => {
    expect(await read(pieces, headers)).toEqual(expected);
    expect(limits.budget.heldBytes).toBe(0);
  });

  it('is disconnected when the request is aborted, and its memory is released', async () => {
    const abort = new AbortController();
    const body = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(new Uint8Array(10)) });
    const { exchange, owner } = exchangeOf({ method: 'POST', body, duplex: 'half', signal: abort.signal });
    const taker = { body: vi.fn(), unreadable: vi.fn(), disconnected: vi.fn() };
    exchange.read(limits, taker);
    await vi.waitUntil(() => limits.budget.heldBytes === 10);
    abort.abort();
    expect((await exchange.response).status).toBe(499);
    expect(limits.budget.heldBytes).toBe(0);
    expect(taker.disconnected).toHaveBeenCalledOnce();
    expect(owner.ended).toHaveBeenCalledOnce();
    expect(exchange.isOver).toBe(true);
  });
});

describe('the response to a web request', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('is answered whole, with the headers of any response, and is over then', async () => {
    const { exchange, owner } = exchangeOf();
    exchange.extra = { 'access-control-allow-origin': '*' };
    exchange.respond(202, { allow: 'POST' }, 'text');
    const response = await exchange.response;
    expect([response.status, await response.text()]).toEqual([202, 'text']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      allow: 'POST',
      'access-control-allow-origin': '*',
    });
    expect([owner.ended.mock.calls.length, exchange.isOver]).toEqual([1, true]);
  });

  it('is a stream whose slow reader is waited for', async () => {
    const { exchange, owner } = exchangeOf();
    exchange.extra = { 'x-any': '1' };
    exchange.open({ 'content-type': 'text/event-stream' });
    expect(Object.fromEntries((await exchange.response).headers)).toEqual({
      'content-type': 'text/event-stream',
      'x-any': '1',
    });
    expect([exchange.write('é'.repeat(piece)), exchange.queuedBytes]).toEqual([false, 2 * piece]);
    exchange.end();
    expect([exchange.write('more'), exchange.isOver]).toEqual([true, false]);
    const from = await reader(exchange);
    const sizes: (number | undefined)[] = [];
    for (let at = 0; at < 3; at += 1) sizes.push((await from.read()).value?.byteLength);
    expect(sizes).toEqual([piece, piece, undefined]);
    expect([exchange.isOver, owner.drained.mock.calls.length, owner.ended.mock.calls.length]).toEqual([
      true,
      0,
      1,
    ]);
  });

  it('reports once that its reader has caught up, and ends', async () => {
    const { exchange, owner } = exchangeOf();
    exchange.open({});
    const from = await reader(exchange);
    expect(exchange.write('few')).toBe(true);
    expect(exchange.write('x'.repeat(piece))).toBe(false);
    await from.read();
    await from.read();
    expect(owner.drained).toHaveBeenCalledExactlyOnceWith(exchange);
    exchange.end();
    await Promise.resolve();
    expect([owner.ended.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('is over when its reader leaves', async () => {
    const { exchange, owner } = exchangeOf();
    exchange.open({});
    exchange.stallsAfter(100);
    await (await reader(exchange)).cancel();
    expect([owner.ended.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('releases the memory of what its reader has not read when it is over', async () => {
    const memory = new MemoryBudget({ maxBytes: 10 * piece });
    const { exchange } = exchangeOf();
    exchange.open({});
    exchange.write('x'.repeat(2 * piece));
    unreadOutputOf(exchange, memory).hold(exchange.queuedBytes);
    expect(memory.heldBytes).toBe(2 * piece);
    await (await reader(exchange)).cancel();
    expect(memory.heldBytes).toBe(0);
  });

  it('is cut: a stream fails, and 503 is the response before one', async () => {
    const { exchange: before } = exchangeOf();
    before.cut();
    expect((await before.response).status).toBe(503);
    const { exchange, owner } = exchangeOf();
    exchange.open({});
    exchange.cut();
    await expect((await reader(exchange)).read()).rejects.toThrow('the stream was cut');
    expect(owner.ended).toHaveBeenCalledOnce();
  });

  it('has stalled when its reader accepts nothing at all', async () => {
    const { exchange, owner } = exchangeOf();
    exchange.open({});
    const from = await reader(exchange);
    exchange.write('x'.repeat(3 * piece));
    exchange.stallsAfter(100);
    await from.read();
    vi.advanceTimersByTime(100);
    expect(owner.stalled).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(owner.stalled).toHaveBeenCalledExactlyOnceWith(exchange);
    exchange.stallsAfter(100);
    exchange.stallsAfter(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('drops the rest after its end that its reader does not accept', async () => {
    const { exchange, owner } = exchangeOf();
    exchange.open({});
    const from = await reader(exchange);
    exchange.write('x'.repeat(3 * piece));
    exchange.stallsAfter(100);
    exchange.end();
    vi.advanceTimersByTime(100);
    await expect(from.read()).rejects.toThrow('the rest of the stream was not read');
    expect([owner.stalled.mock.calls.length, owner.ended.mock.calls.length]).toEqual([0, 1]);
  });

  it('leaves no timer once its reader has caught up after the end', async () => {
    const { exchange } = exchangeOf();
    exchange.open({});
    const from = await reader(exchange);
    exchange.write('x'.repeat(2 * piece));
    exchange.stallsAfter(100);
    exchange.end();
    while (!(await from.read()).done);
    expect([exchange.isOver, vi.getTimerCount()]).toEqual([true, 0]);
  });
});
