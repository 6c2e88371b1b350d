import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ask, openRaw, postTo, raw, stand, turnsUntil } from './stand.js';

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const limit = 4 * 1024 * 1024;

/** A sound message of exactly so many bytes. */
function ofBytes(bytes: number): string {
  const head = '{"jsonrpc":"2.0","method":"';
  return `${head}${'x'.repeat(bytes - head.length - 2)}"}`;
}

describe('row 21: the size of a body', () => {
  test('4 MiB pass and one byte more is 413, with or without a Content-Length', async () => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    const chunked = { 'transfer-encoding': 'chunked' };
    expect((await postTo(endpoint, ofBytes(limit))).status).toBe(202);
    expect((await postTo(endpoint, ofBytes(limit), chunked)).status).toBe(202);
    for (const headers of [{}, chunked]) {
      const reply = await postTo(endpoint, ofBytes(limit + 1), headers);
      expect(reply).toMatchObject({ status: 413, headers: { connection: 'close' } });
    }
    expect(sessions[0]?.record.messages).toHaveLength(2);
    expect(sessions[0]?.record.closeErrors).toEqual([]);
  });

  test('a body without an end is not kept, and its connection is closed', async () => {
    const { url } = await stand({ maxMessageBytes: 64 * 1024 });
    const { endpoint } = await openRaw(url);
    const { hostname, port, pathname, search, host } = new URL(endpoint);
    const socket = connect(Number(port), hostname);
    let response = '';
    let closed = false;
    socket.setEncoding('latin1').on('data', (chunk: string) => (response += chunk));
    socket.on('error', () => undefined).on('close', () => (closed = true));
    const head = `POST ${pathname + search} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
    socket.write(head);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const pump = (): void => {
      while (!closed && socket.write(chunk)) continue;
    };
    socket.on('drain', pump);
    pump();
    await turnsUntil(() => closed);
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(socket.bytesWritten).toBeLessThan(64 * 1024 * 1024);
  });

  test('a length that lies', async () => {
    const { url, origin, sessions } = await stand({ requestTimeoutMs: 200, headersTimeoutMs: 100 });
    const { endpoint } = await openRaw(url);
    const { pathname, search, host } = new URL(endpoint);
    const post = (length: number, body: string): string =>
      `POST ${pathname + search} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${String(length)}\r\n\r\n${body}`;
    expect(await raw(origin, post(100, ping))).toMatch(/^HTTP\/1\.1 408 /);
    expect(await raw(origin, post(5, ping))).toMatch(/^HTTP\/1\.1 400 /);
    expect(sessions[0]?.record.messages).toEqual([]);
    expect((await postTo(endpoint, ping)).status).toBe(202);
  });

  test.each(['gzip', 'deflate', 'br', 'identity, gzip'])('Content-Encoding %s is 415', async (encoding) => {
    const { url } = await stand();
    const { endpoint } = await openRaw(url);
    const body = Buffer.alloc(1_000);
    expect((await postTo(endpoint, body, { 'content-encoding': encoding })).status).toBe(415);
    expect((await postTo(endpoint, ping, { 'content-encoding': 'identity' })).status).toBe(202);
  });
});

describe('fault 12: too many sessions', () => {
  test('further ones are asked to retry later, and no existing session is closed for them', async () => {
    // One address may have half of them.
    const { url, sessions } = await stand({ maxSessions: 4 });
    const first = await openRaw(url);
    await openRaw(url);
    const reply = await ask(url);
    expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(JSON.parse(reply.body)).toMatchObject({ error: { code: -31001, data: { retryable: true } } });
    expect(sessions.map(({ record }) => record.closeErrors.length)).toEqual([0, 0]);
    first.socket.destroy();
    await turnsUntil(() => sessions[0]?.record.closeErrors.length === 1);
    expect((await openRaw(url)).status).toBe(200);
  });
});

describe('fault 10: streams on which nothing happens', () => {
  test('show each 15 s that they live', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { url, sessions } = await stand();
      const stream = await openRaw(url);
      const opening = stream.text();
      const alive = ': keepalive\n\n';
      vi.advanceTimersByTime(14_999);
      vi.advanceTimersByTime(1);
      await turnsUntil(() => stream.text() === opening + alive);
      vi.advanceTimersByTime(15_000);
      await turnsUntil(() => stream.text() === opening + alive + alive);
      stream.socket.destroy();
      await turnsUntil(() => sessions[0]?.record.closeErrors.length === 1);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('fault 13: a slow reader', () => {
  const pad = 'x'.repeat(4_000);
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('makes its server wait, is not posted for, and is cut after 30 s; others notice nothing', async () => {
    const { url, sessions } = await stand();
    const stalled = await openRaw(url);
    const healthy = await openRaw(url);
    stalled.incoming.pause();
    const [slow, fast] = sessions;
    const sends: Promise<unknown>[] = [];
    let waiting = 0;
    for (let index = 0; index < 3_000; index += 1) {
      const send = slow?.connection.send({ jsonrpc: '2.0', method: 'x', params: { pad } });
      waiting += 1;
      const taken = send?.then(() => (waiting -= 1));
      sends.push(taken?.catch((error: unknown) => error) ?? Promise.resolve());
      if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(waiting).toBeGreaterThan(500);
    // Held back until the stream is read.
    const held = postTo(stalled.endpoint, ping);
    await fast?.connection.send({ jsonrpc: '2.0', method: 'fine' });
    await turnsUntil(() => healthy.text().includes('"fine"'));
    expect((await postTo(healthy.endpoint, ping)).status).toBe(202);
    vi.advanceTimersByTime(29_000);
    expect([slow?.record.messages, slow?.record.closeErrors]).toEqual([[], []]);
    vi.advanceTimersByTime(1_000);
    expect(slow?.record.closeErrors).toMatchObject([{ code: 'STALLED' }]);
    expect((await held).status).toBe(404);
    expect((await Promise.all(sends)).at(-1)).toMatchObject({ code: 'STALLED' });
    expect(fast?.record.closeErrors).toEqual([]);
  });

  test('one that reads on gets everything, and its posts meanwhile are accepted', async () => {
    const { url, sessions } = await stand();
    const stream = await openRaw(url);
    stream.incoming.pause();
    const [session] = sessions;
    const sends = Array.from({ length: 3_000 }, (_, index) =>
      session?.connection.send({ jsonrpc: '2.0', method: 'x', params: { index, pad } }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    const held = postTo(stream.endpoint, ping);
    stream.incoming.resume();
    await Promise.all(sends);
    expect((await held).status).toBe(202);
    await turnsUntil(() => stream.text().includes('"index":2999'));
    const indices = [...stream.text().matchAll(/"index":(\d+)/g)].map(([, index]) => Number(index));
    expect(indices).toEqual(Array.from({ length: 3_000 }, (_, index) => index));
  });
});
