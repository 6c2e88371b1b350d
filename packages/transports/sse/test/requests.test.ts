import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveSse } from '../src/node.js';
import { connectionHandler, recording } from '@rxmcp/transport-tck/recording';
import { ask, openRaw, postTo, raw, stand, turnsUntil } from './stand.js';

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('the routes', () => {
  test('a stream sends first where to post, and posts arrive', async () => {
    const { url, origin, sessions } = await stand();
    const stream = await openRaw(url);
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    expect(stream.text()).toMatch(/^event: endpoint\ndata: \/messages\?sessionId=[0-9a-f]{32}\n\n$/);
    expect(stream.endpoint.startsWith(`${origin}/messages?`)).toBe(true);
    expect(await postTo(stream.endpoint, ping)).toMatchObject({ status: 202, body: '' });
    expect(sessions[0]?.record.messages).toEqual([JSON.parse(ping)]);
    await sessions[0]?.connection.send({ jsonrpc: '2.0', id: 1, result: {} });
    await turnsUntil(() =>
      stream.text().endsWith('event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'),
    );
  });

  test('clients are sessions of their own, which end with their streams', async () => {
    const { url, sessions } = await stand();
    const first = await openRaw(url);
    const second = await openRaw(url);
    expect(first.endpoint).not.toBe(second.endpoint);
    first.socket.destroy();
    await turnsUntil(() => sessions[0]?.record.closeErrors.length === 1);
    expect((await postTo(first.endpoint, ping)).status).toBe(404);
    expect((await postTo(second.endpoint, ping)).status).toBe(202);
    expect(sessions[1]?.record.messages).toHaveLength(1);
  });

  test('other paths and a query of its own', async () => {
    const { url, origin } = await stand({ path: '/events', messagesPath: '/in?tenant=7' });
    expect(url).toBe(`${origin}/events`);
    const stream = await openRaw(url);
    expect(stream.endpoint).toMatch(/\/in\?tenant=7&sessionId=[0-9a-f]{32}$/);
    expect((await postTo(stream.endpoint, ping)).status).toBe(202);
    expect((await ask(`${origin}/sse`)).status).toBe(404);
  });

  test.each([
    'https://elsewhere.example/messages',
    '//elsewhere.example/x',
    '/a#b',
    '/a b',
    '/m?sessionId=1',
  ])('"messages" cannot be %s', async (messages) => {
    const acceptor = connectionHandler(() => recording());
    await expect(serveSse(acceptor, { messagesPath: messages })).rejects.toThrow(TypeError);
  });
});

describe('bad messages', () => {
  test.each([
    ['row 10: malformed JSON', '{"jsonrpc":"2.0",', -32700],
    ['an empty body', '', -32700],
    ['row 6: bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0xfe, 0x22), -32700],
    ['row 6: an overlong character', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), -32700],
    ['row 7: a byte order mark inside', `\u0020\uFEFF${ping}`, -32700],
    ['row 11: a number', '1', -32600],
    ['row 11: a string', '"x"', -32600],
    ['row 11: null', 'null', -32600],
    ['row 11: true', 'true', -32600],
    ['row 14: an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['row 14: an id that is 1.5', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['row 14: an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['row 14: an id of 1e309', '{"jsonrpc":"2.0","id":1e309,"method":"ping"}', -32600],
    ['row 14: an id over 2^53', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600],
    ['row 14: an id of 10 KB', `{"jsonrpc":"2.0","id":"${'x'.repeat(10_000)}","method":"ping"}`, -32600],
    ['row 17: two ids', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32600],
    [
      'row 19: a depth of 10,000',
      `{"jsonrpc":"2.0","method":"x","params":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
      -32600,
    ],
    [
      'row 20: a million values',
      `{"jsonrpc":"2.0","method":"x","params":{"a":[${'0,'.repeat(1_000_000)}0]}}`,
      -32600,
    ],
  ])('%s: 400 without an id, and row 12: the session lives', async (_, body, code) => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    const reply = await postTo(endpoint, body);
    expect(reply).toMatchObject({ status: 400, headers: { 'content-type': 'application/json' } });
    const error = JSON.parse(reply.body) as Record<string, unknown>;
    expect(error).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(error).not.toHaveProperty('id');
    expect((await postTo(endpoint, ping)).status).toBe(202);
    expect(sessions[0]?.record.messages.at(-1)).toEqual(JSON.parse(ping));
    expect(sessions[0]?.record.closeErrors).toEqual([]);
  });

  test('row 10: two hundred truncations of one message', async () => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    const whole = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { pad: 'é'.repeat(100) },
    });
    for (let cut = 0; cut < 200; cut += 1) {
      const { status } = await postTo(endpoint, Buffer.from(whole).subarray(0, cut));
      expect([cut, status]).toEqual([cut, 400]);
    }
    expect(sessions[0]?.record.messages).toEqual([]);
    expect((await postTo(endpoint, ping)).status).toBe(202);
  });

  test('row 7: one byte order mark before the message is dropped', async () => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    expect((await postTo(endpoint, `\uFEFF${ping}`)).status).toBe(202);
    expect(sessions[0]?.record.messages).toEqual([JSON.parse(ping)]);
  });

  test('row 13: a batch is one delivery, whatever it holds; its reader checks it', async () => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    for (const entries of [1, 100, 101]) {
      const batch = `[${Array.from({ length: entries }, () => ping).join()}]`;
      expect((await postTo(endpoint, batch)).status).toBe(202);
      expect(sessions[0]?.record.messages.at(-1)).toHaveLength(entries);
    }
  });

  test('rows 5 and 8: characters cut anywhere, and line separators of Unicode, arrive as they were', async () => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    const message = { jsonrpc: '2.0', method: 'x', params: { text: 'é😀\u2028\u2029' } };
    const body = Readable.from([...Buffer.from(JSON.stringify(message))].map((byte) => Uint8Array.of(byte)));
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' } as unknown as RequestInit;
    expect((await fetch(endpoint, init)).status).toBe(202);
    expect(sessions[0]?.record.messages).toEqual([message]);
  });

  test('row 18: __proto__ is a member like any other', async () => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    await postTo(endpoint, '{"jsonrpc":"2.0","method":"x","params":{"__proto__":{"polluted":1}}}');
    const [message] = sessions[0]?.record.messages as [{ params: object }];
    expect(Object.hasOwn(message.params, '__proto__')).toBe(true);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('required headers of a request', () => {
  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/jsonx', 415],
    ['application/json-patch+json', 415],
    ['application/json; charset=iso-8859-1', 415],
    ['', 415],
    ['application/json', 202],
    ['Application/JSON', 202],
    ['application/json; charset=utf-8', 202],
    ['application/json;charset="UTF-8"', 202],
  ])('row 24: Content-Type "%s" is answered with %d', async (type, status) => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    const reply = await ask(endpoint, { method: 'POST', headers: { 'content-type': type }, body: ping });
    expect(reply.status).toBe(status);
    expect(sessions[0]?.record.messages).toHaveLength(status === 202 ? 1 : 0);
  });

  test('row 24: no Content-Type at all', async () => {
    const { url } = await stand();
    const { endpoint } = await openRaw(url);
    expect((await ask(endpoint, { method: 'POST', body: ping })).status).toBe(415);
  });

  test.each([
    ['application/json', 406],
    ['text/html', 406],
    ['text/event-stream;q=0', 406],
    ['text/event-stream', 200],
    ['application/json, text/event-stream', 200],
    ['TEXT/*', 200],
    ['*/*;q=0.1', 200],
  ])('row 25: Accept "%s" is answered with %d', async (accept, status) => {
    const { url, sessions } = await stand();
    if (status === 200) expect((await openRaw(url, { headers: { accept } })).status).toBe(200);
    else expect((await ask(url, { headers: { accept } })).status).toBe(status);
    expect(sessions).toHaveLength(status === 200 ? 1 : 0);
  });

  test.each([
    ['PUT', '/sse', 'GET, OPTIONS'],
    ['POST', '/sse', 'GET, OPTIONS'],
    ['DELETE', '/sse', 'GET, OPTIONS'],
    ['HEAD', '/sse', 'GET, OPTIONS'],
    ['GET', '/messages?sessionId=x', 'POST, OPTIONS'],
    ['TRACE', '/messages?sessionId=x', 'POST, OPTIONS'],
  ])('row 26: %s %s is 405', async (method, path, allow) => {
    const { origin } = await stand();
    expect(await ask(origin + path, { method })).toMatchObject({ status: 405, headers: { allow } });
  });

  test('row 26: a POST to the stream is refused before its body arrives', async () => {
    const { url } = await stand();
    const { host, hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4000000\r\n\r\n`);
    const [reply] = (await once(socket, 'data')) as [Buffer];
    expect(reply.toString()).toContain('HTTP/1.1 405 ');
    const { status, body } = await postTo(url, '{"jsonrpc":"2.0","id":0,"method":"initialize"}');
    expect([status, JSON.parse(body)]).toEqual([
      405,
      { jsonrpc: '2.0', error: { code: -32600, message: 'only GET is served here' } },
    ]);
  });

  test.each([
    ['missing', '/messages', 400],
    ['empty', '/messages?sessionId=', 400],
    ['there twice', '/messages?sessionId=a&sessionId=a', 400],
    ['unknown', '/messages?sessionId=0123456789abcdef0123456789abcdef', 404],
    ['very long', `/messages?sessionId=${'a'.repeat(5_000)}`, 404],
    ['control characters', '/messages?sessionId=%00%0d%0a', 404],
    ['__proto__', '/messages?sessionId=__proto__', 404],
  ])('row 36: a session id that is %s, with one client there', async (_, path, status) => {
    const { url, origin, sessions } = await stand();
    await openRaw(url);
    expect((await postTo(origin + path, ping)).status).toBe(status);
    expect(sessions[0]?.record.messages).toEqual([]);
  });
});

describe('how a request must come', () => {
  test('row 23: too many and too large headers, and two lengths', async () => {
    const { origin } = await stand();
    const head = `GET /sse HTTP/1.1\r\nhost: ${new URL(origin).host}\r\n`;
    const large = `${head}x: ${'a'.repeat(64 * 1024)}\r\n\r\n`;
    const many = `${head}${Array.from({ length: 10_000 }, (_, at) => `x-${String(at)}: 1\r\n`).join('')}\r\n`;
    for (const bytes of [large, many]) expect(await raw(origin, bytes)).toMatch(/^HTTP\/1\.1 431 /);
    const smuggled =
      'POST /messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await raw(origin, smuggled)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('row 22: slow headers and slow bodies are cut, others continue', async () => {
    const { url, origin } = await stand({ headersTimeoutMs: 150, requestTimeoutMs: 300 });
    const stream = await openRaw(url);
    const { host, pathname, search } = new URL(stream.endpoint);
    const slow = Array.from({ length: 20 }, () => raw(origin, 'POST /messages HTTP/1.1\r\nhost: lo'));
    const lying = `POST ${pathname + search} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{`;
    const bodies = Array.from({ length: 20 }, () => raw(origin, lying));
    for (const response of await Promise.all([...slow, ...bodies]))
      expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect((await postTo(stream.endpoint, ping)).status).toBe(202);
    expect(stream.ended()).toBe(false);
  });
});
