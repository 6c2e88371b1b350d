import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MemoryBudget } from '../../src/index.js';
import { NodeExchange } from '../../src/node/internal.js';

/** Serves one request and returns its exchange, and the socket that asks. */
async function asked(
  text: string | Buffer,
  given?: unknown,
  listener?: (request: IncomingMessage) => unknown,
) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(text);
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  await listener?.(request);
  const exchange = new NodeExchange(request, response, given);
  const owner = { ended: vi.fn(), drained: vi.fn(), stalled: vi.fn() };
  exchange.owner = owner;
  return { exchange, owner, socket };
}

async function textOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

const post = (length: number, ...more: readonly string[]): string =>
  ['POST /mcp HTTP/1.1', 'Host: localhost', `Content-Length: ${String(length)}`, ...more, '', ''].join(
    '\r\n',
  );
const limits = { maxMessageBytes: 100, budget: new MemoryBudget({ maxBytes: 1_000_000 }) };

function bodyOf(exchange: NodeExchange, maxMessageBytes = 100): Promise<unknown> {
  return new Promise((resolve) => {
    exchange.read(
      { ...limits, maxMessageBytes },
      {
        body: (_exchange, text) => resolve({ text }),
        unreadable: (_exchange, problem) => resolve({ problem }),
        disconnected: () => resolve('disconnected'),
      },
    );
  });
}

const bytes = (...of: number[]): Buffer => Buffer.from(of);
const withBody = (body: Buffer): Buffer => Buffer.concat([Buffer.from(post(body.length)), body]);

describe('a body', () => {
  it.each([
    ['in UTF-8', Buffer.from('aä'), { text: 'aä' }],
    ['with a byte order mark', bytes(0xef, 0xbb, 0xbf, 0x61), { text: 'a' }],
    ['with U+FFFD in it', Buffer.from('\ufffd'), { text: '\ufffd' }],
    ['that is no UTF-8', bytes(0x61, 0xc3), { problem: 'not-utf-8' }],
    ['that is empty', Buffer.from(''), { text: '' }],
  ])('%s', async (_what, body, expected) => {
    const { exchange } = await asked(withBody(body));
    expect(await bodyOf(exchange)).toEqual(expected);
  });

  it.each([
    ['a text', '{"a":1}', { text: '{"a":1}' }],
    ['bytes', bytes(0x61, 0xc3, 0xa4), { text: 'aä' }],
    ['bytes of a platform without Buffer', new Uint8Array([0x61]), { text: 'a' }],
    ['bytes that are no UTF-8', bytes(0xc3), { problem: 'not-utf-8' }],
    ['a parsed value', { a: ['ä'] }, { text: '{"a":["ä"]}' }],
    ['a value that is no JSON', 1n, { text: '' }],
    ['more than the limit', 'x'.repeat(101), { problem: 'too-large' }],
    ['more than the limit in bytes', 'ä'.repeat(51), { problem: 'too-large' }],
  ])('that a framework has read: %s', async (_what, given, expected) => {
    const { exchange } = await asked(post(0), given);
    expect(await bodyOf(exchange)).toEqual(expected);
  });

  it('that was read elsewhere is broken', async () => {
    const { exchange } = await asked(withBody(Buffer.from('a')), undefined, async (request) => {
      await once(request.resume(), 'end');
    });
    expect(await bodyOf(exchange)).toEqual({ problem: 'broken' });
  });

  const chunked = (chunk: string, count: number): string =>
    ['POST /mcp HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked', '', ''].join('\r\n') +
    `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(count);

  it('in few small chunks, or many that are larger, is read', async () => {
    const few = await asked(`${chunked('0123456789', 64)}0\r\n\r\n`);
    expect(await bodyOf(few.exchange, 1_000)).toEqual({ text: '0123456789'.repeat(64) });
    const many = await asked(`${chunked('x'.repeat(20), 4_000)}0\r\n\r\n`);
    expect(await bodyOf(many.exchange, 80_000)).toEqual({ text: 'x'.repeat(80_000) });
  });

  it('in thousands of tiny chunks is rejected, and few more of them are read', async () => {
    const { exchange, socket } = await asked(chunked('x', 50_000));
    let chunks = 0;
    exchange.request.on('data', () => (chunks += 1));
    expect(await bodyOf(exchange, 100_000)).toEqual({ problem: 'tiny-chunks' });
    expect(chunks).toBe(1_024);
    exchange.respond(400, { connection: 'close' }, 'too small');
    const text = textOf(socket);
    await vi.waitUntil(() => exchange.isOver);
    expect(chunks).toBeLessThan(1_300);
    expect(await text.catch(() => 'reset')).toMatch(/too small$|reset/);
  });

  it('in tiny chunks that wait to be read is kept in one piece', async () => {
    const { exchange } = await asked(`${chunked('x', 1_000)}0\r\n\r\n`);
    exchange.entered();
    await vi.waitUntil(() => exchange.request.complete);
    let chunks = 0;
    exchange.request.on('data', () => (chunks += 1));
    expect(await bodyOf(exchange, 1_000)).toEqual({ text: 'x'.repeat(1_000) });
    expect(chunks).toBeLessThan(10);
  });

  it.each([200, 100_000])(
    'in %i tiny chunks that is not read: the response ends its connection',
    async (count) => {
      const { exchange, socket } = await asked(chunked('x', count));
      exchange.respond(401, {}, 'who?');
      const text = await textOf(Object.assign(socket, { allowHalfOpen: false })).catch(() => 'reset');
      expect(text).toMatch(/^HTTP\/1\.1 401 [^]*connection: close\r\n[^]*who\?$|reset/i);
    },
  );

  it('is disconnected when the client disconnects, and its memory is released', async () => {
    const { exchange, owner, socket } = await asked(post(50));
    const body = bodyOf(exchange);
    socket.write('some');
    await vi.waitUntil(() => limits.budget.heldBytes === 4);
    socket.destroy();
    expect(await body).toBe('disconnected');
    expect([limits.budget.heldBytes, owner.ended.mock.calls.length]).toEqual([0, 1]);
  });
});

describe('headers', () => {
  it('are found by name, and by the start of their names', async () => {
    const more = ['Mcp-Param-A: 1', 'mcp-param-b: 2', 'Accept: a', 'Accept: b'];
    const { exchange } = await asked(post(0, ...more));
    expect(exchange.startingWith('mcp-param-')).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(exchange.startingWith('x-')).toEqual([]);
    expect([exchange.header('accept'), exchange.header('origin')]).toEqual(['a, b', undefined]);
  });
});

describe('a response', () => {
  it('is answered whole, once, with the headers of any response', async () => {
    const { exchange, socket } = await asked(post(0, 'Connection: close'));
    exchange.extra = { 'x-any': '1' };
    exchange.respond(404, { allow: 'POST' }, 'nö');
    exchange.respond(200, {}, 'again');
    exchange.open({});
    const text = await textOf(socket);
    expect(text).toMatch(/^HTTP\/1\.1 404 Not Found\r\nallow: POST\r\nx-any: 1\r\ncontent-length: 3\r\n/);
    expect(text).not.toContain('again');
  });

  it.each([
    [202, 'content-length: 0'],
    [204, undefined],
  ])('without a body: status %i', async (status, line) => {
    const { exchange, socket } = await asked(post(0, 'Connection: close'));
    exchange.respond(status, {});
    expect(/content-length: \d+/.exec(await textOf(socket))?.[0]).toBe(line);
  });

  it('that closes the connection waits for the rest of the request, and the client gets it', async () => {
    const { exchange, socket } = await asked(post(8));
    exchange.respond(413, { connection: 'close' }, 'too large');
    socket.write('some');
    await vi.waitUntil(() => exchange.request.readableDidRead);
    expect(exchange.response.writableEnded).toBe(false);
    socket.write('more');
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 413 [^]*too large$/);
  });

  it('that closes the connection waits for a limited rest', async () => {
    const { exchange, socket } = await asked(post(2 ** 30));
    exchange.respond(413, { connection: 'close' });
    const rest = Buffer.alloc(2 ** 20);
    const text = textOf(socket);
    await vi.waitUntil(() => {
      if (!socket.destroyed && socket.writableLength < rest.length) socket.write(rest);
      return exchange.response.writableEnded;
    });
    socket.end();
    expect(await text.catch(() => 'reset')).toMatch(/413|reset/);
  });

  it('is a stream whose slow reader is waited for', async () => {
    const { exchange, owner, socket } = await asked(post(0));
    exchange.extra = { 'x-any': '1' };
    exchange.open({ 'content-type': 'text/event-stream' });
    while (exchange.write('x'.repeat(2 ** 20)));
    exchange.write('last');
    expect([exchange.queuedBytes > 0, owner.drained.mock.calls.length]).toEqual([true, 0]);
    socket.resume();
    await vi.waitUntil(() => owner.drained.mock.calls.length > 0);
    expect(owner.drained).toHaveBeenCalledExactlyOnceWith(exchange);
    exchange.end();
    await vi.waitUntil(() => owner.ended.mock.calls.length > 0);
    expect(exchange.write('later')).toBe(true);
  });

  it('is cut', async () => {
    const { exchange, owner, socket } = await asked(post(0));
    exchange.open({});
    exchange.cut();
    expect(exchange.isOver).toBe(true);
    expect(await textOf(socket).catch(() => 'reset')).not.toContain('0\r\n\r\n');
    await vi.waitUntil(() => owner.ended.mock.calls.length > 0);
  });

  it('has stalled when nothing leaves: its owner decides, and without one it is cut', async () => {
    const { exchange, owner } = await asked(post(0));
    exchange.open({});
    exchange.stallsAfter(1);
    await vi.waitUntil(() => owner.stalled.mock.calls.length > 0);
    expect(owner.stalled).toHaveBeenCalledWith(exchange);
    expect(exchange.isOver).toBe(false);
    exchange.owner = undefined;
    exchange.stallsAfter(1);
    await vi.waitUntil(() => exchange.isOver);
  });
});

describe('requests that are sent before the ones before them are answered', () => {
  /** Sends so many at once; resolves with how many are answered. */
  async function pipelined(count: number): Promise<number> {
    const server = createServer((request, response) => {
      const exchange = new NodeExchange(request, response);
      setImmediate(() => exchange.respond(204, {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    const closed = new Promise<number>((resolve) => socket.once('close', () => resolve(0)));
    const all = new Promise<number>((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        if (text.split('HTTP/1.1 204').length > count) resolve(count);
      });
    });
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count));
    return Promise.race([closed, all]);
  }

  it('are answered where they are few', async () => {
    expect(await pipelined(17)).toBe(17);
  });

  it('end their connection where more than 16 wait', async () => {
    expect(await pipelined(18)).toBe(0);
  });
});
