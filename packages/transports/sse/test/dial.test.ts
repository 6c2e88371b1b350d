import { createServer } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { sse } from '../src/index.js';
import { connected, event, hostile, streaming } from './hostile.js';
import { stand, turnsUntil } from './stand.js';

const failure = (dial: Promise<unknown>): Promise<unknown> =>
  dial.then(
    () => 'connected',
    (error: unknown) => error,
  );

describe('a dial that fails', () => {
  test.each([
    ['a page that is no stream', 200, { 'content-type': 'text/html' }, 'DIAL_FAILED'],
    ['nothing to say', 204, {}, 'DIAL_FAILED'],
    ['no such page', 404, {}, 'DIAL_FAILED'],
    ['no such method', 405, { allow: 'POST' }, 'DIAL_FAILED'],
    ['a failure', 500, {}, 'DIAL_FAILED'],
    ['who calls', 401, { 'www-authenticate': 'Bearer scope="x"' }, 'UNAUTHORIZED'],
    ['not this one', 403, {}, 'UNAUTHORIZED'],
  ])('on %s', async (_, status, headers, code) => {
    const { url, requests, sockets } = await hostile(
      (response) => void response.writeHead(status, headers).end('no'),
    );
    const error = await failure(sse(url).dial());
    expect(error).toMatchObject({ code, outcome: 'not-sent', details: { status } });
    const challenge = (headers as Record<string, string>)['www-authenticate'];
    if (challenge !== undefined) expect(error).toMatchObject({ details: { challenge } });
    await turnsUntil(() => sockets() === 0 || requests.length === 1);
    expect(requests).toEqual(['GET /sse']);
  });

  test('with 503 and Retry-After says when to retry', async () => {
    const { url } = await hostile((response) => void response.writeHead(503, { 'retry-after': '7' }).end());
    const error = await failure(sse(url).dial());
    expect(error).toMatchObject({
      code: 'DIAL_FAILED',
      retryable: true,
      details: { status: 503, retryAfterMs: 7_000 },
    });
  });

  test('where no server listens', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    await new Promise((resolve) => taken.close(resolve));
    const error = await failure(sse(`http://127.0.0.1:${String(port)}/sse?token=secret`).dial());
    expect(error).toMatchObject({
      code: 'DIAL_FAILED',
      outcome: 'not-sent',
      details: { code: 'ECONNREFUSED' },
    });
    expect(String(error)).not.toContain('secret');
  });

  test.each([
    ['ends before it says where to post', (at: Parameters<typeof streaming>[0]) => void at.end()],
    ['sends a message first', (at: Parameters<typeof streaming>[0]) => void at.write(event({}))],
    [
      'is cut before it says where to post',
      (at: Parameters<typeof streaming>[0]) => void at.socket?.resetAndDestroy(),
    ],
  ])('on a stream that %s', async (_, then) => {
    const { url, requests } = await hostile((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': hello\n\n', () => then(response));
    });
    expect(await failure(sse(url).dial())).toMatchObject({ outcome: 'not-sent' });
    expect(requests).toHaveLength(1);
  });

  test('on a server that never sends where to post, after 10 s, and leaves no socket', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { url, requests, sockets } = await hostile((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      });
      const dial = failure(sse(url).dial());
      await turnsUntil(() => requests.length === 1);
      vi.advanceTimersByTime(10_000);
      expect(await dial).toMatchObject({
        code: 'DIAL_FAILED',
        message: expect.stringContaining('10 s') as string,
      });
      await turnsUntil(() => sockets() === 0);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    ['before a response', false],
    ['before it receives where to post', true],
  ])('when it is aborted %s, and leaves no socket', async (_, responses) => {
    const { url, requests, sockets } = await hostile((response) => {
      if (responses) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
    });
    const controller = new AbortController();
    const dial = failure(sse(url).dial({ signal: controller.signal }));
    await turnsUntil(() => requests.length === 1);
    controller.abort();
    expect(await dial).toMatchObject({ code: 'DIAL_ABORTED', outcome: 'not-sent' });
    await turnsUntil(() => sockets() === 0);
  });
});

describe('row 83: where to post', () => {
  test.each([
    'https://evil.example/messages',
    '//evil.example/messages',
    'http://127.0.0.1:1/messages',
    'http://user:secret@HOST/messages',
    'javascript:alert(1)',
    'http://[',
  ])('%s is refused, and the stream is closed', async (endpoint) => {
    const { url, sockets, requests } = await hostile((response, request) => {
      streaming(response, endpoint.replace('HOST', String(request.headers.host)));
    });
    const error = await failure(sse(url).dial());
    expect(error).toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
    expect(String(error)).not.toContain('secret');
    await turnsUntil(() => sockets() === 0);
    expect(requests).toEqual(['GET /sse']);
  });

  test.each([
    ['/messages?a=1', '/messages?a=1'],
    ['messages', '/messages'],
    ['?x', '/sse?x'],
  ])('"%s" is resolved against the stream', async (endpoint, target) => {
    const { url, requests } = await hostile((response) => void streaming(response, endpoint));
    const { connection } = await connected(url);
    await connection.send({ jsonrpc: '2.0', method: 'x' });
    expect(requests).toEqual(['GET /sse', `POST ${target}`]);
  });

  test('a whole address of the same origin is followed, a second one is not', async () => {
    const { url, requests } = await hostile((response, request) => {
      streaming(response, `http://${String(request.headers.host)}/first`).write(
        'event: endpoint\ndata: /second\n\n',
      );
    });
    const { connection, record } = await connected(url);
    await turnsUntil(() => record.faults.length === 1);
    await connection.send({ jsonrpc: '2.0', method: 'x' });
    expect(requests).toEqual(['GET /sse', 'POST /first']);
    expect(record.faults).toMatchObject([{ code: 'INVALID_MESSAGE' }]);
  });
});

describe('headers and credentials', () => {
  test('headers are asked anew for every request', async () => {
    let asked = 0;
    const { url, headers } = await hostile((response) => void streaming(response));
    const { connection } = await connected(url, {
      headers: async () => ({ authorization: `Bearer ${String((asked += 1))}` }),
    });
    await connection.send({ jsonrpc: '2.0', method: 'x' });
    await connection.send({ jsonrpc: '2.0', method: 'x' });
    expect(headers.map(({ authorization }) => authorization)).toEqual(['Bearer 1', 'Bearer 2', 'Bearer 3']);
  });

  test('headers that cannot be made fail the dial, without naming them', async () => {
    const { url, requests } = await hostile((response) => void streaming(response));
    for (const headers of [
      () => Promise.reject(new Error('secret')),
      { authorization: 'Bearer secret\nx: y' },
    ]) {
      const error = await failure(sse(url, { headers }).dial());
      expect(error).toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
      expect(`${String(error)}${String((error as Error).cause)}`).not.toContain('secret');
    }
    expect(requests).toEqual([]);
  });

  test.each(['authorization', 'Cookie', 'proxy-authorization', 'X-Api-Key', 'api-key', 'x-auth-token'])(
    '"%s" is not sent over plain http to another machine',
    async (name) => {
      let fetched = 0;
      const fetch = (): Promise<Response> => {
        fetched += 1;
        return Promise.reject(new TypeError('no network here'));
      };
      const headers = { [name]: 'secret' };
      const error = await failure(sse('http://mcp.example/sse', { headers, fetch }).dial());
      expect(error).toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
      expect(String(error)).not.toContain('secret');
      expect(fetched).toBe(0);
      for (const url of [
        'https://mcp.example/sse',
        'http://localhost/sse',
        'http://127.8.9.1/sse',
        'http://[::1]/sse',
      ]) {
        await failure(sse(url, { headers, fetch }).dial());
      }
      expect(fetched).toBe(4);
      await failure(
        sse('http://mcp.example/sse', { headers, fetch, dangerouslyAllowInsecureCredentials: true }).dial(),
      );
      expect(fetched).toBe(5);
    },
  );

  test.each(['ftp://x/sse', 'no address', 'http://user:secret@127.0.0.1/sse'])(
    'rejects %s as an address',
    (url) => {
      expect(() => sse(url)).toThrow(TypeError);
      expect(() => sse(url)).not.toThrow(/secret/);
    },
  );
});

test('another EventSource can be brought along', async () => {
  const { url, sessions } = await stand();
  const { EventSource } = await import('eventsource');
  let made = 0;
  class Counting extends EventSource {
    constructor(...parameters: ConstructorParameters<typeof EventSource>) {
      super(...parameters);
      made += 1;
    }
  }
  const { record } = await connected(url, { eventSource: Counting as never });
  await turnsUntil(() => sessions.length === 1);
  await sessions[0]?.connection.send({ jsonrpc: '2.0', method: 'hello' });
  await turnsUntil(() => record.messages.length === 1);
  expect(made).toBe(1);
});
