import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { constants, createGzip, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { defaultFetch } from '../../src/fetch/node.js';

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

function deferred(): Deferred {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve: () => resolve() };
}

const manual = { redirect: 'manual' } as const;

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const serve = async (listener: RequestListener): Promise<string> =>
  `http://${await listening(createServer(listener))}/`;

/** A server that writes bytes as soon as a request comes. */
const answered = async (...parts: string[]): Promise<string> => {
  const server = createTcpServer((socket) => {
    socket.once('data', () => {
      for (const part of parts) socket.write(part);
    });
  });
  return `http://${await listening(server)}/`;
};

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

  it.each(['HTTP/1.1 999 Odd\r\n\r\n', 'HTTP/1.1 101 Switching\r\n\r\n', 'garbage\r\n\r\n'])(
    'rejects where it is %j',
    async (text) => {
      await expect(defaultFetch(await answered(text), manual)).rejects.toThrow(/^fetching from .* failed$/);
    },
  );

  it('has its address, status and headers, all values of one name together', async () => {
    const url = await serve((_, response) =>
      response.writeHead(418, 'Short', ['x-a', '1', 'x-a', '2', 'X-B', 'ü']).end(),
    );
    const response = await defaultFetch(url, manual);
    expect(response).toMatchObject({ url, status: 418, statusText: 'Short', ok: false });
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
    await defaultFetch(new URL(url), { ...manual, headers: { 'user-agent': 'mine' } });
    expect(seen).toEqual([
      ['POST', 'text/x', '2', 'rxmcp', 'é'],
      ['POST', 'application/x-www-form-urlencoded;charset=UTF-8', '5', 'rxmcp', 'a=b+c'],
      ['GET', undefined, undefined, 'mine', ''],
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

  it('uses a connection again, also after a body that is not read', async () => {
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
    expect(connections).toBe(1);
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

describe('a body', () => {
  it('is read in one chunk, whatever the pieces that have arrived', async () => {
    const chunks = 5_000;
    const pieces = '1\r\na\r\n'.repeat(chunks);
    const url = await answered(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`);
    const { body } = await defaultFetch(url, manual);
    let bytes = 0;
    let reads = 0;
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      reads += 1;
    }
    expect(bytes).toBe(chunks);
    expect(reads).toBeLessThan(50);
  });

  it('waits for its reader', async () => {
    let written = 0;
    const url = await serve((_, response) => {
      const more = (): void => {
        while (written < 500 && response.write(Buffer.alloc(65_536))) written += 1;
        written += 1;
      };
      response.on('drain', more);
      more();
    });
    const { body } = await defaultFetch(url, manual);
    await vi.waitFor(() => expect(written).toBeGreaterThan(0));
    await new Promise(setImmediate);
    expect(written).toBeLessThan(500);
    await body?.cancel();
  });

  it('is decoded, as soon as the server flushes it', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const zip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      zip.pipe(response);
      zip.write('data: 1\n\n');
    });
    const reader = (await defaultFetch(url, manual)).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
    await reader?.cancel();
  });

  it('is requested as gzip, and accepted as nothing else', async () => {
    const requested: unknown[] = [];
    let coding = 'gzip';
    const url = await serve((request, response) => {
      requested.push(request.headers['accept-encoding']);
      response.writeHead(200, { 'content-encoding': coding }).end(gzipSync('zipped'));
    });
    expect(await (await defaultFetch(url, manual)).text()).toBe('zipped');
    coding = 'br';
    await expect(defaultFetch(url, { headers: { 'accept-encoding': 'identity' } })).rejects.toMatchObject({
      cause: { message: 'the response has the content coding "br", which was not requested' },
    });
    expect(requested).toEqual(['gzip', 'identity']);
  });

  it.each([204, 205, 304])('is null with the status %d', async (status) => {
    const url = await serve((_, response) => response.writeHead(status).end());
    expect(await defaultFetch(url, manual)).toMatchObject({ status, body: null });
  });

  it('rejects where it is cut, and where it is not what it says', async () => {
    const cut = await defaultFetch(
      await serve((_, response) => {
        response.writeHead(200, { 'content-length': 10 }).write('some');
        response.once('drain', () => undefined);
        setImmediate(() => response.destroy());
      }),
      manual,
    );
    await expect(cut.text()).rejects.toMatchObject({ message: 'terminated', cause: { code: 'ECONNRESET' } });
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no'),
    );
    await expect((await defaultFetch(url, manual)).text()).rejects.toThrow('terminated');
  });

  it('that is cancelled closes the connection where more is to come', async () => {
    const closed = deferred();
    const url = await serve((_, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200).write('some');
    });
    await (await defaultFetch(url, manual)).body?.cancel();
    await closed.promise;
  });
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
