import { MemoryBudget } from '@rxmcp/transport';
import { HeldBytes } from '@rxmcp/transport/internal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PostQueue, type PostQueueOptions } from '../src/client/post-queue.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A queue whose posts a test answers. */
function queueOf(options: Partial<PostQueueOptions> = {}) {
  const posts: { text: string; accept: () => void; refuse: (error: Error) => void }[] = [];
  const failed = vi.fn();
  const memory = new MemoryBudget({ maxBytes: 100_000 });
  const queue = new PostQueue({
    post: (text) => new Promise((accept, refuse) => posts.push({ text, accept, refuse })),
    turnMs: 1_000,
    writeTimeoutMs: 30_000,
    held: new HeldBytes(memory, 'server'),
    failed,
    ...options,
  });
  const texts = (): string => posts.map(({ text }) => text).join('');
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { queue, posts, failed, memory, texts, pass };
}

describe('messages of a client of HTTP+SSE', () => {
  it('are posted one after the other, each once the one before is answered', async () => {
    const { queue, posts, texts, pass } = queueOf();
    const [a, b] = [queue.send('a', undefined), queue.send('b', undefined)];
    expect(texts()).toBe('a');
    posts[0]?.accept();
    await a;
    expect(texts()).toBe('ab');
    posts[1]?.refuse(new Error('no'));
    await expect(b).rejects.toThrow('no');
    await pass(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('do not wait longer than a turn, and at most 64 are posted at a time', async () => {
    const { queue, posts, texts, pass } = queueOf();
    for (let at = 0; at < 70; at += 1) void queue.send('x', undefined);
    await pass(999);
    expect(texts()).toHaveLength(1);
    await pass(1);
    expect(texts()).toHaveLength(2);
    queue.alive();
    for (let at = 0; at < 80; at += 1) {
      await pass(1_000);
      queue.alive();
    }
    expect(texts()).toHaveLength(64);
    posts[0]?.accept();
    await pass(0);
    expect(texts()).toHaveLength(65);
  });

  it('are not overtaken where the event loop was blocked for longer than a turn', async () => {
    vi.useRealTimers();
    const { queue, posts, texts } = queueOf({ turnMs: 20 });
    const [a] = [queue.send('a', undefined), queue.send('b', undefined)];
    const blockedUntil = performance.now() + 40;
    while (performance.now() < blockedUntil);
    const ioTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 3; turn += 1) await ioTurn();
    expect(texts()).toBe('a');
    posts[0]?.accept();
    await a;
    expect(texts()).toBe('ab');
    queue.stop();
  });

  it('are not sent where their signal is aborted before their turn', async () => {
    const { queue, posts, texts, pass } = queueOf();
    const abort = new AbortController();
    void queue.send('a', undefined);
    const b = queue.send('b', abort.signal);
    void queue.send('c', undefined);
    abort.abort(new Error('left'));
    posts[0]?.accept();
    await expect(b).rejects.toMatchObject({
      code: 'SEND_FAILED',
      outcome: 'not-sent',
      cause: { message: 'left' },
    });
    await pass(0);
    expect(texts()).toBe('ac');
  });

  it('settle together, and none begins after the end', async () => {
    const { queue, posts, texts, pass } = queueOf();
    await queue.settled();
    const settled = vi.fn();
    void queue.send('a', undefined);
    void queue.settled().then(settled);
    await pass(0);
    expect(settled).not.toHaveBeenCalled();
    void queue.send('b', undefined);
    posts[0]?.accept();
    await pass(0);
    expect(settled).not.toHaveBeenCalled();
    queue.stop();
    void queue.send('c', undefined);
    posts[1]?.accept();
    await pass(10_000);
    expect([settled.mock.calls.length, texts(), vi.getTimerCount()]).toEqual([1, 'ab', 0]);
  });
});

describe('a server that accepts no message', () => {
  it('has stalled after the limit, from its last sign of life', async () => {
    const { queue, posts, failed, pass } = queueOf();
    await pass(60_000);
    void queue.send('a', undefined);
    void queue.send('b', undefined);
    await pass(20_000);
    // The response to one message is a sign.
    posts[0]?.accept();
    await pass(29_999);
    expect(failed).not.toHaveBeenCalled();
    await pass(1);
    expect(failed.mock.calls).toMatchObject([
      [{ code: 'STALLED', message: 'the server accepted no message for 30 s' }],
    ]);
  });

  it('has not while a person signs in', async () => {
    let isWaiting = true;
    const { queue, failed, pass } = queueOf({ isWaiting: () => isWaiting });
    void queue.send('a', undefined);
    await pass(45_000);
    isWaiting = false;
    await pass(14_999);
    expect(failed).not.toHaveBeenCalled();
    await pass(1);
    expect(failed).toHaveBeenCalledOnce();
  });
});

describe('row 13: responses that wait for their server', () => {
  const response = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const ownBytes = 2_048 + 2 * response.length;

  it('are charged until they are posted, and requests are not', async () => {
    const { queue, posts, memory, pass } = queueOf();
    for (const text of [response, response, '{"jsonrpc":"2.0","id":1,"method":"ping"}'])
      void queue.send(text, undefined);
    expect(memory.heldBytes).toBe(ownBytes);
    posts[0]?.accept();
    await pass(0);
    expect(memory.heldBytes).toBe(0);
  });

  it('end the connection beyond the share of their server, and release everything', () => {
    const { queue, failed, memory } = queueOf();
    const fits = Math.floor(50_000 / ownBytes);
    for (let at = 0; at <= fits; at += 1) void queue.send(response, undefined);
    expect([failed.mock.calls.length, memory.heldBytes]).toEqual([0, fits * ownBytes]);
    void queue.send(response, undefined);
    expect(failed.mock.calls).toMatchObject([[{ code: 'OVERFLOW' }]]);
    queue.stop();
    expect(memory.heldBytes).toBe(0);
  });
});
