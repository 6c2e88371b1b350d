import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { processMemory } from '../../src/index.js';
import { listen, type HttpListener, type ListenOptions } from '../../src/node.js';
import { NodeExchange, requestHead } from '../../src/node/internal.js';

const open: HttpListener[] = [];

async function listening(options: ListenOptions = {}): Promise<HttpListener> {
  const listener = await listen(options);
  open.push(listener);
  return listener;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.stop()));
});

/** Sends raw bytes and gives all that comes back until the other side closes. */
function said(listener: HttpListener, ...pieces: string[]): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = dial(listener);
    for (const piece of pieces) socket.write(piece);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

function dial(listener: HttpListener): Socket {
  return connect(Number(new URL(listener.url('http', '/')).port), '127.0.0.1');
}

describe('row 29: an address that other machines reach', () => {
  it.each([
    '192.168.1.5',
    'fd00::5',
    'my-machine.example',
    '127.0.0.1.nip.io',
    '0.0.0.0',
    '::',
    '',
    '0',
    '[::]',
    '::0',
    '0:0:0:0:0:0:0:0',
    '0x0',
    '::ffff:0.0.0.0',
  ])('binding "%s" without authentication is rejected', async (host) => {
    await expect(listen({ host })).rejects.toThrow(
      'pass "authenticate", or "dangerouslyOpen", to serve them',
    );
  });

  it('a server that listens there already is refused as well', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    await expect(listen({ server })).rejects.toThrow('"0.0.0.0" is reachable from other machines');
    await new Promise((resolve) => server.close(resolve));
  });

  it('authentication allows it, and so does the explicit option', async () => {
    const asked = await listening({ host: '0.0.0.0', authenticate: () => ({ status: 401 }) });
    expect(asked.url('http', '/mcp')).toMatch(/^http:\/\/localhost:\d+\/mcp$/);
    await listening({ host: '0.0.0.0', dangerouslyOpen: true });
  });

  it.each(['127.0.0.1', '127.8.9.1', 'localhost'])('"%s" is reached from this machine only', async (host) => {
    await listening({ host });
  });
});

describe('a listener', () => {
  it('lets thousands of connections wait to be accepted', async () => {
    const listens = vi.spyOn(Server.prototype, 'listen');
    onTestFinished(() => listens.mockRestore());
    await listening();
    expect(listens.mock.calls[0]?.[0]).toMatchObject({ backlog: 4_096 });
  });

  it('reports its address', async () => {
    const listener = await listening();
    expect(listener.url('http', '/mcp')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(listener.url('ws', '/mcp')).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/mcp$/);
  });

  it('reports that a port is taken', async () => {
    const { port } = new URL((await listening()).url('http', '/'));
    await expect(listen({ port: Number(port) })).rejects.toThrow('EADDRINUSE');
  });

  it('leaves a given server alone at the end', async () => {
    const server = createServer();
    const listener = await listen({ server });
    listener.stopAccepting();
    await listener.stop();
    expect(server.listening).toBe(true);
    await new Promise((resolve) => server.close(resolve));
  });

  it('lets a response out that is under way, and cuts what never ends', async () => {
    const listener = await listening();
    const under: (() => void)[] = [];
    listener.server.on('request', (request, response) => {
      response.writeHead(200).write('a');
      under.push(() => void (request.url === '/ends' && response.end('b')));
    });
    const head = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const both = [said(listener, head('/ends')), said(listener, head('/hangs'))];
    await vi.waitUntil(() => under.length === 2);
    listener.stopAccepting();
    const stopped = listener.stop();
    for (const end of under) end();
    await stopped;
    await listener.stop();
    const [ends, hangs] = await Promise.all(both);
    expect(ends).toMatch(/1\r\na\r\n1\r\nb\r\n0/);
    expect(hangs).toMatch(/1\r\na\r\n$/);
  });

  it('cuts a handshake that has begun', async () => {
    const listener = await listening({
      tls: { cert: '', key: '' },
      headersTimeoutMs: 600_000,
      requestTimeoutMs: 600_000,
    });
    const sockets: Socket[] = [];
    listener.server.on('connection', (socket: Socket) => sockets.push(socket));
    const client = said(listener, '\x16');
    await vi.waitUntil(() => sockets[0] !== undefined && sockets[0].bytesRead > 0);
    await listener.stop();
    expect(await client).toBe('');
  });

  it('row 22: cuts slow headers and slow bodies, and serves the others meanwhile', async () => {
    const listener = await listening({ headersTimeoutMs: 150, requestTimeoutMs: 300 });
    listener.server.on('request', (request, response) => {
      request.resume().on('end', () => response.end('fine'));
    });
    const slow = [
      ...Array.from({ length: 100 }, () => said(listener, 'POST / HTTP/1.1\r\nHost: loc')),
      ...Array.from({ length: 100 }, () =>
        said(listener, 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc'),
      ),
    ];
    const fine = await said(listener, 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(fine).toContain('fine');
    for (const head of await Promise.all(slow)) expect(head).toContain('408 Request Timeout');
  });

  it('row 22: cuts slow handshakes', async () => {
    // A handshake that gets nowhere needs no certificate.
    const listener = await listening({ tls: { cert: '', key: '' }, headersTimeoutMs: 150 });
    expect(await said(listener)).toBe('');
    expect(await said(listener, '\x16')).toBe('');
  });

  it.each([
    ['ten thousand headers', `GET / HTTP/1.1\r\nHost: localhost\r\n${'a: b\r\n'.repeat(10_000)}\r\n`, '431'],
    ['a header of 64 KiB', `GET / HTTP/1.1\r\nHost: localhost\r\na: ${'b'.repeat(65_536)}\r\n\r\n`, '431'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', '400'],
  ])('row 23: %s', async (_what, request, status) => {
    const listener = await listening();
    let entered = 0;
    listener.server.on('request', (_request, response) => {
      entered += 1;
      response.end();
    });
    expect(await said(listener, request)).toContain(`HTTP/1.1 ${status}`);
    expect(entered).toBe(0);
  });

  it.runIf(existsSync('/proc/net/tcp'))(
    'fault 7: asks the system to look after clients that are silent',
    async () => {
      const listener = await listening();
      const client = dial(listener);
      await once(listener.server, 'connection');
      const { port } = new URL(listener.url('http', '/'));
      const hex = Number(port).toString(16).toUpperCase().padStart(4, '0');
      const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
      const all = lines.map((line) => line.trim().split(/\s+/));
      // State 01 is an open connection; 02 before the colon is a timer of keep-alive.
      const ours = all.filter(([, from, , state]) => state === '01' && from?.endsWith(`:${hex}`) === true);
      expect(ours.map(([, , , , , timer]) => timer?.split(':')[0])).toEqual(['02']);
      client.destroy();
    },
  );

  it('passes every value of a header to a guard', async () => {
    const listener = await listening();
    const seen: unknown[] = [];
    listener.server.on('request', (request, response) => {
      const head = requestHead(request);
      seen.push(head.method, head.target, head.secure, head.headerValues('host'), head.headerValues('x'));
      response.end();
    });
    await said(listener, 'GET /a?b HTTP/1.1\r\nHost: a\r\nhOST: b\r\nConnection: close\r\n\r\n');
    expect(seen).toEqual(['GET', '/a?b', false, ['a', 'b'], []]);
  });
});

describe('the memory of heads', () => {
  const memory = processMemory();
  const large = `a: ${'x'.repeat(10_000)}\r\n`;
  const asking = (lines = ''): string => `GET / HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`;

  /** Sends requests at once, which no response ends. Returns what is charged besides the socket once all are received. */
  async function charged(...requests: readonly string[]): Promise<{ bytes: number; socket: Socket }> {
    const listener = await listening();
    let entered = 0;
    listener.server.on('request', (request, response) => {
      new NodeExchange(request, response);
      entered += 1;
    });
    const socket = dial(listener);
    await once(listener.server, 'connection');
    const before = memory.heldBytes;
    socket.on('error', () => undefined).write(requests.join(''));
    await vi.waitUntil(() => entered === requests.length || socket.closed);
    return { bytes: memory.heldBytes - before, socket };
  }

  it('is charged where they wait behind another one, and where they are large, until the connection ends', async () => {
    const before = memory.heldBytes;
    for (const [least, most, ...requests] of [
      [0, 0, asking()],
      [10_000, 11_000, asking(large)],
      [4_096, 5_000, asking(), asking()],
      [9_000, 11_000, asking(), asking('a: b\r\n'.repeat(90))],
      [42_000, 45_000, asking(), asking(large), asking(large), asking(large)],
    ] as const) {
      const { bytes, socket } = await charged(...requests);
      expect(bytes).toBeGreaterThanOrEqual(least);
      expect(bytes).toBeLessThanOrEqual(most);
      socket.destroy();
      await vi.waitUntil(() => memory.heldBytes === before);
    }
  });

  it('is not charged for a request whose connection has closed before it is handled', async () => {
    const before = memory.heldBytes;
    const listener = await listening();
    const handled = new Promise<void>((resolve) => {
      listener.server.on('request', (request, response) => {
        response.on('close', () =>
          setImmediate(() => {
            new NodeExchange(request, response);
            resolve();
          }),
        );
      });
    });
    const socket = dial(listener);
    socket.write(asking(large));
    await once(listener.server, 'request');
    socket.destroy();
    await handled;
    await vi.waitUntil(() => memory.heldBytes === before);
  });

  it('beyond the share of an address ends the connection', async () => {
    const holder = 'address 127.0.0.1';
    const rest = memory.maxBytes / 2 - 50_000;
    memory.tryCharge(holder, rest);
    onTestFinished(() => memory.release(holder, rest));
    const { socket } = await charged(...Array.from({ length: 8 }, () => asking(large)));
    await vi.waitUntil(() => socket.closed);
    await vi.waitUntil(() => memory.heldBytes === rest);
  });
});

describe('the memory of sockets', () => {
  it('is charged to their address until they have closed; one beyond its share is destroyed', async () => {
    const memory = processMemory();
    const before = memory.heldBytes;
    const holder = 'address 127.0.0.1';
    const listener = await listening();
    const socket = dial(listener);
    await once(socket, 'connect');
    await vi.waitFor(() => expect(memory.heldBytes - before).toBe(8 * 1024));
    expect(memory.stats().largest).toContainEqual({ holder, heldBytes: 8 * 1024 });
    const rest = memory.maxBytes / 2 - 12 * 1024;
    expect(memory.tryCharge(holder, rest)).toBe(true);
    await once(dial(listener).resume(), 'close');
    memory.release(holder, rest);
    expect(socket.destroyed).toBe(false);
    socket.destroy();
    await vi.waitFor(() => expect(memory.heldBytes).toBe(before));
  });
});
