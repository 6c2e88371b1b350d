import type { ServerResponse } from 'node:http';
import { MemoryBudget } from '@rxmcp/transport';
import { HeldBytes } from '@rxmcp/transport/internal';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PostQueue } from '../src/client/post-queue.js';
import { connected, event, hostile, streaming } from './hostile.js';
import { stand, turnsUntil } from './stand.js';

const note = { jsonrpc: '2.0', method: 'note' } as const;
const failure = (send: Promise<unknown>): Promise<unknown> =>
  send.then(
    () => 'taken',
    (error: unknown) => error,
  );

describe('a message that is refused', () => {
  test.each([
    [400, {}, { code: 'REJECTED', outcome: 'answered', details: { status: 400 } }],
    [413, {}, { code: 'REJECTED', outcome: 'answered', details: { status: 413 } }],
    [
      429,
      { 'retry-after': '3' },
      { code: 'REJECTED', retryable: true, details: { status: 429, retryAfterMs: 3_000 } },
    ],
    [302, { location: '/x' }, { code: 'REJECTED', outcome: 'answered', details: { status: 302 } }],
    [
      401,
      { 'www-authenticate': 'Bearer' },
      { code: 'UNAUTHORIZED', details: { status: 401, challenge: 'Bearer' } },
    ],
    [403, {}, { code: 'UNAUTHORIZED', details: { status: 403 } }],
    [500, {}, { code: 'CONNECTION_LOST', outcome: 'unknown', details: { status: 500 } }],
    [
      503,
      { 'retry-after': '1' },
      { code: 'CONNECTION_LOST', retryable: true, details: { retryAfterMs: 1_000 } },
    ],
  ])('with %d fails alone', async (status, headers, error) => {
    const { url } = await hostile(
      (response) => void streaming(response),
      (response) => void response.writeHead(status, headers).end('a page'),
    );
    const { connection, record } = await connected(url);
    expect(await failure(connection.send(note))).toMatchObject(error);
    expect(record.closeErrors).toEqual([]);
  });

  test('fault 16: with 404 has lost its session', async () => {
    let closedStreams = 0;
    const { url, sockets } = await hostile(
      (response) => void streaming(response).once('close', () => (closedStreams += 1)),
      (response) => void response.writeHead(404).end(),
    );
    const { connection, record } = await connected(url);
    expect(await failure(connection.send(note))).toMatchObject({
      code: 'SESSION_EXPIRED',
      outcome: 'not-sent',
    });
    expect(record.closeErrors).toMatchObject([{ code: 'SESSION_EXPIRED' }]);
    await turnsUntil(() => sockets() <= 1 && closedStreams === 1);
    expect(await failure(connection.send(note))).toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
  });

  test('fault 8: by a cut is of unknown fate', async () => {
    const { url } = await hostile(
      (response) => void streaming(response),
      (response) => void response.socket?.resetAndDestroy(),
    );
    const { connection, record } = await connected(url);
    expect(await failure(connection.send(note))).toMatchObject({
      code: 'CONNECTION_LOST',
      outcome: 'unknown',
    });
    expect(record.closeErrors).toEqual([]);
  });

  test('by headers that cannot be made was not sent', async () => {
    const { url } = await hostile((response) => void streaming(response));
    let calls = 0;
    const headers = (): Record<string, string> => {
      calls += 1;
      if (calls > 1) throw new Error('secret');
      return {};
    };
    const { connection } = await connected(url, { headers });
    const error = await failure(connection.send(note));
    expect(error).toMatchObject({ code: 'SEND_FAILED', outcome: 'not-sent' });
    expect(String(error)).not.toContain('secret');
  });
});

describe('a response to a post that never ends', () => {
  /** Timers advance only on request; sockets run as usual. */
  const frozen = (): unknown => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  afterEach(() => void vi.useRealTimers());

  /** A server that begins every response and leaves it at that; `ended` counts those that were ended for it. */
  async function endless() {
    const counted = { begun: 0, ended: 0 };
    const { url } = await hostile(
      (response) => void streaming(response),
      (response) => {
        counted.begun += 1;
        response.on('close', () => (counted.ended += 1));
        response.writeHead(202).write('x');
      },
    );
    return { url, counted };
  }

  test('is aborted at the close', async () => {
    const { url, counted } = await endless();
    const { connection } = await connected(url);
    frozen();
    await connection.send(note);
    await connection.close();
    await turnsUntil(() => counted.ended === 1);
  });

  test('is aborted after a second', async () => {
    const { url, counted } = await endless();
    const { connection, record } = await connected(url);
    frozen();
    for (let sent = 0; sent < 3; sent += 1) await connection.send(note);
    await vi.advanceTimersByTimeAsync(999);
    expect(counted).toEqual({ begun: 3, ended: 0 });
    await vi.advanceTimersByTimeAsync(1);
    await turnsUntil(() => counted.ended === 3);
    expect(record.closeErrors).toEqual([]);
  });
});

describe('the order of messages', () => {
  test('stays open where the server answers some posts slowly', async () => {
    const taken: unknown[] = [];
    const { url, server } = await hostile((response) => void streaming(response));
    server.on('request', (request) => {
      if (request.method === 'POST')
        request.on('data', (text) => taken.push((JSON.parse(String(text)) as { id: number }).id));
    });
    const { connection } = await connected(url);
    const ids = Array.from({ length: 50 }, (_, id) => id);
    await Promise.all(ids.map((id) => connection.send({ jsonrpc: '2.0', id, method: 'x' })));
    expect(taken).toEqual(ids);
  });

  test('a server that answers a post only when its work is done gets what that work waits for', async () => {
    const posts: ServerResponse[] = [];
    const { url } = await hostile(
      (response) => void streaming(response),
      (response) => void posts.push(response),
    );
    const { connection } = await connected(url);
    const call = connection.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
    const sent = connection.send({ jsonrpc: '2.0', id: 'asked', result: {} });
    await turnsUntil(() => posts.length === 2);
    posts[1]?.writeHead(202).end();
    await sent;
    posts[0]
      ?.writeHead(200, { 'content-type': 'application/json' })
      .end('{"jsonrpc":"2.0","id":1,"result":{}}');
    await call;
  });

  test('a message whose signal fires while it waits is not sent', async () => {
    const posts: ServerResponse[] = [];
    const { url } = await hostile(
      (response) => void streaming(response),
      (response) => void posts.push(response),
    );
    const { connection } = await connected(url);
    const first = connection.send(note);
    const controller = new AbortController();
    const second = failure(connection.send(note, { signal: controller.signal }));
    await turnsUntil(() => posts.length === 1);
    controller.abort();
    posts[0]?.writeHead(202).end();
    await first;
    expect(await second).toMatchObject({ code: 'SEND_FAILED', outcome: 'not-sent' });
    expect(posts).toHaveLength(1);
  });
});

describe('fault 13: a server that takes nothing', () => {
  test('is aborted after 30 s without a sign of life, and the sends settle', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { url, requests } = await hostile(
        (response) => void streaming(response),
        () => undefined,
      );
      const { connection, record } = await connected(url);
      const sends = [failure(connection.send(note)), failure(connection.send(note))];
      await turnsUntil(() => requests.length >= 2);
      vi.advanceTimersByTime(29_999);
      expect(record.closeErrors).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(record.closeErrors).toMatchObject([{ code: 'STALLED' }]);
      for (const send of sends) expect(await send).toMatchObject({ code: 'STALLED', outcome: 'unknown' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('is waited for while its stream lives', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      let stream: ServerResponse | undefined;
      const { url, requests } = await hostile(
        (response) => void (stream = streaming(response)),
        () => undefined,
      );
      const { connection, record } = await connected(url);
      void connection.send(note).catch(() => undefined);
      await turnsUntil(() => requests.length >= 2);
      for (let at = 1; at <= 4; at += 1) {
        vi.advanceTimersByTime(20_000);
        stream?.write(event(note));
        await turnsUntil(() => record.messages.length >= at);
      }
      expect(record.closeErrors).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('gets the responses to a flood of requests in order', async () => {
    const { url, sessions } = await stand();
    const { connection, record } = await connected(url);
    await turnsUntil(() => sessions.length === 1);
    const [served] = sessions;
    record.received = (message) => {
      const { id } = message as { id: number };
      record.messages.push(id);
      void connection.send({ jsonrpc: '2.0', id, result: {} });
    };
    const ids = Array.from({ length: 500 }, (_, id) => id);
    await Promise.all(ids.map((id) => served?.connection.send({ jsonrpc: '2.0', id, method: 'ping' })));
    await vi.waitUntil(() => served?.record.messages.length === ids.length);
    expect(served?.record.messages.map((response) => (response as { id: number }).id)).toEqual(ids);
  });
});

const held = new HeldBytes(new MemoryBudget({ maxBytes: Infinity }), 'server');

describe('queued posts', () => {
  const never = (): Promise<void> => new Promise(() => undefined);

  test.each([
    ['65,536 messages', 65_536, 10],
    ['64 Mi characters', 16, 4 * 1024 * 1024],
  ])('more than %s end the connection', (_, count, length) => {
    const failures: unknown[] = [];
    const failed = (error: unknown): void => void failures.push(error);
    const queue = new PostQueue({ turnMs: 250, writeTimeoutMs: 30_000, held, failed, post: never });
    const text = 'x'.repeat(length);
    // One of them is on its way.
    for (let at = 0; at <= count; at += 1) void queue.send(text, undefined);
    expect(failures).toEqual([]);
    void queue.send(text, undefined);
    expect(failures).toMatchObject([{ code: 'OVERFLOW' }]);
    queue.stop();
  });
});

test('a queue is settled as soon as its last post was answered, and not before', async () => {
  let answered = (): void => undefined;
  const post = (): Promise<void> => new Promise((resolve) => (answered = resolve));
  const queue = new PostQueue({
    turnMs: 60_000,
    writeTimeoutMs: 60_000,
    held,
    failed: () => undefined,
    post,
  });
  void queue.send('{}', undefined);
  let settled = false;
  const waiting = queue.settled().then(() => (settled = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(settled).toBe(false);
  answered();
  await waiting;
  expect(settled).toBe(true);
});
