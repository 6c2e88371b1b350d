import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultFetch } from '../../src/fetch/node.js';
import { answered, deferred, listening, manual, serve } from './servers.js';

const head = (count: number): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${'a: b\r\n'.repeat(count - 1)}\r\nok`;

describe('the head of a response', () => {
  it('has 256 headers at most', async () => {
    const response = await defaultFetch(await answered(head(256)), manual);
    expect(await response.text()).toBe('ok');
    await expect(defaultFetch(await answered(head(257)), manual)).rejects.toMatchObject({
      message: expect.stringMatching(/^fetching from "http:..127.0.0.1:\d+" failed$/) as string,
      cause: { message: 'the server sends more than 256 headers', code: 'HPE_HEADER_OVERFLOW' },
    });
    await expect(defaultFetch(await answered(head(10_000)), manual)).rejects.toMatchObject({
      cause: { code: 'HPE_HEADER_OVERFLOW' },
    });
  });

  it('comes after 16 informational responses at most', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n';
    const response = await defaultFetch(await answered(early.repeat(16), head(1)), manual);
    expect(await response.text()).toBe('ok');
    await expect(defaultFetch(await answered(early.repeat(17)), manual)).rejects.toMatchObject({
      cause: {
        message: 'the server sends more than 16 informational responses',
        code: 'HPE_HEADER_OVERFLOW',
      },
    });
  });

  const upgrade = 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
  it.each(['HTTP/1.1 999 Odd\r\n\r\n', 'HTTP/1.1 101 Switching\r\n\r\n', upgrade, 'garbage\r\n\r\n'])(
    'rejects where it is %j',
    async (text) => {
      await expect(defaultFetch(await answered(text), manual)).rejects.toThrow(/^fetching from .* failed$/);
    },
  );

  it('has its address, status and headers, all values of one name together', async () => {
    const url = await serve((_, response) =>
      response.writeHead(418, ['x-a', '1', 'x-a', '2', 'X-B', 'ü']).end(),
    );
    const response = await defaultFetch(url, manual);
    expect(response).toMatchObject({ url, status: 418, ok: false });
    expect(response.headers.get('x-a')).toBe('1, 2');
    expect(response.headers.get('x-b')).toBe('ü');
  });

  it('is returned where it redirects, or rejects', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: '/other' }).end());
    expect((await defaultFetch(url, manual)).headers.get('location')).toBe('/other');
    await expect(defaultFetch(url, { redirect: 'error' })).rejects.toMatchObject({
      cause: { message: 'unexpected redirect (302)' },
    });
  });
});

describe('a request', () => {
  it('has its method, headers and body', async () => {
    const seen: unknown[] = [];
    const url = await serve(async (request, response) => {
      const { method, headers } = request;
      let text = '';
      for await (const part of request) text += String(part);
      seen.push([method, headers['content-type'], headers['content-length'], headers['user-agent'], text]);
      response.end();
    });
    await defaultFetch(url, { ...manual, method: 'POST', headers: { 'content-type': 'text/x' }, body: 'é' });
    await defaultFetch(url, { ...manual, method: 'POST', body: new URLSearchParams({ a: 'b c' }) });
    await defaultFetch(url, { ...manual, headers: { 'user-agent': 'mine' } });
    expect(seen).toEqual([
      ['POST', 'text/x', '2', 'rxmcp', 'é'],
      ['POST', 'application/x-www-form-urlencoded;charset=UTF-8', '5', 'rxmcp', 'a=b+c'],
      ['GET', undefined, undefined, 'mine', ''],
    ]);
  });

  it('has the headers that it is given in one encoding, without those of the connection', async () => {
    const seen: unknown[] = [];
    const url = await serve(async ({ headers, method }, response) => {
      seen.push([method, headers['x-user'], headers['content-length'], headers['transfer-encoding']]);
      response.end();
    });
    const headers = { 'x-user': 'café', 'content-length': '1', 'transfer-encoding': 'chunked', expect: 'x' };
    await defaultFetch(url, { ...manual, headers, method: 'POST', body: 'body' });
    await defaultFetch(url, { ...manual, headers });
    expect(seen).toEqual([
      ['POST', 'café', '4', undefined],
      ['GET', 'café', undefined, undefined],
    ]);
  });

  it('cannot go to another protocol', async () => {
    await expect(defaultFetch('file:///a', manual)).rejects.toThrow(
      '"file:" is not a protocol of HTTP: use https:',
    );
  });

  it('rejects with the cause where it cannot connect', async () => {
    const server = createTcpServer();
    const url = `http://${await listening(server)}/`;
    server.close();
    await expect(defaultFetch(url, manual)).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'ECONNREFUSED' },
    });
    server.listen(0);
  });

  it('that is not read to its end is over with its response', async () => {
    const closed = deferred();
    let received = 0;
    let accepted: Socket | undefined;
    const server = createTcpServer((socket) => {
      accepted = socket.on('close', () => closed.resolve());
      socket.on('data', (bytes) => (received += bytes.length));
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 413 Too large\r\ncontent-length: 2\r\n\r\nno');
      });
    });
    const url = `http://${await listening(server)}/`;
    const body = 'x'.repeat(64_000_000);
    const response = await defaultFetch(url, { ...manual, method: 'POST', body });
    expect(await response.text()).toBe('no');
    accepted?.resume();
    await closed.promise;
    expect(received).toBeLessThan(body.length);
  });

  it('does not use a connection that ends with its response', async () => {
    const server = createTcpServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
    });
    const url = `http://${await listening(server)}/`;
    for (let at = 0; at < 20; at += 1) {
      const response = await defaultFetch(url, { ...manual, method: 'POST', body: 'x' });
      expect(await response.text()).toBe('ok');
    }
  });

  it('uses connections again, also after a body that is not read', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.writeHead(202).end('some text'));
    server.on('connection', () => (connections += 1));
    const url = `http://${await listening(server)}/`;
    for (let at = 0; at < 3; at += 1) {
      await (await defaultFetch(url, manual)).text();
      const response = await defaultFetch(url, manual);
      await response.body?.cancel();
      await new Promise(setImmediate);
    }
    // The next request does not wait until what may follow a response was looked for.
    expect(connections).toBeLessThanOrEqual(2);
  });
});

describe('an abort', () => {
  const reason = new Error('enough');

  it('before the request sends nothing', async () => {
    let requests = 0;
    const url = await serve(() => (requests += 1));
    await expect(defaultFetch(url, { ...manual, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toBe(0);
  });

  it('before the head rejects with its reason, and closes the connection', async () => {
    const abort = new AbortController();
    const closed = deferred();
    const url = await serve((request) => {
      request.on('close', () => closed.resolve());
      abort.abort(reason);
    });
    await expect(defaultFetch(url, { ...manual, signal: abort.signal })).rejects.toBe(reason);
    await closed.promise;
  });

  it('while it connects rejects with its reason, also where there is no server', async () => {
    const server = createTcpServer();
    const url = `http://${await listening(server)}/`;
    server.close();
    const abort = new AbortController();
    const fetched = defaultFetch(url, { ...manual, signal: abort.signal });
    abort.abort(reason);
    await expect(fetched).rejects.toBe(reason);
    // An error that nothing handles would end this process.
    await expect(defaultFetch(url, manual)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    server.listen(0);
  });

  it.each(['identity', 'gzip'])('in a body (%s) rejects with its reason', async (coding) => {
    const abort = new AbortController();
    const closed = deferred();
    const url = await serve((_, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200, { 'content-encoding': coding }).flushHeaders();
    });
    const { body } = await defaultFetch(url, { ...manual, signal: abort.signal });
    const read = body?.getReader().read();
    abort.abort(reason);
    await expect(read).rejects.toBe(reason);
    await closed.promise;
  });
});

it('a connection that receives something while it is not used is closed', async () => {
  const closed = deferred();
  let accepted: Socket | undefined;
  const server = createTcpServer((socket) => {
    accepted = socket.on('close', () => closed.resolve());
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
  });
  const response = await defaultFetch(`http://${await listening(server)}/`, manual);
  expect(await response.text()).toBe('ok');
  accepted?.write('more');
  await closed.promise;
});

describe('a connection', () => {
  afterEach(() => void vi.useRealTimers());

  it('that does not open within 10 s rejects', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const connected = deferred();
    const server = createTcpServer((socket) => socket.once('data', () => connected.resolve()));
    const fetched = defaultFetch(`https://${await listening(server)}/`, manual);
    const expected = expect(fetched).rejects.toMatchObject({
      cause: { message: 'no connection within 10000 ms', code: 'ETIMEDOUT', syscall: 'connect' },
    });
    await connected.promise;
    vi.advanceTimersByTime(10_000);
    await expected;
  });
});
