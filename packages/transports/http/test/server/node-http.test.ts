import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { httpHandler, serveHttp, type HttpServeHandle, type ServeHttpOptions } from '../../src/node.js';
import { modern } from './calls.js';
import { Desk } from './desk.js';
import { dial, heard, rawPost, said } from './raw.js';

// Many exchanges each: where the machine is busy that takes longer than usual.

const echo = modern('echo', { text: 'é' });
const mirrored = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'echo' };
const close = { connection: 'close' };

describe('on raw sockets', () => {
  let desk: Desk;
  let handle: HttpServeHandle;
  const serve = async (options: ServeHttpOptions = {}): Promise<string> => {
    await handle?.close();
    desk = new Desk();
    handle = await serveHttp(desk, options);
    return handle.url;
  };
  beforeEach(() => serve());
  afterEach(async () => {
    expect((await fetch(handle.url, echo)).status).toBe(200);
    await handle.close();
  });

  it.each([
    ['none', [], '400'],
    ['an empty one', ['Host: '], '400'],
    ['two', ['Host: localhost', 'Host: localhost'], '400'],
    ['two that differ', ['Host: localhost', 'hOST: evil.com'], '400'],
    ['a foreign one', ['Host: evil.com'], '403'],
    ['one that looks like this machine', ['Host: 127.0.0.1.evil.com'], '403'],
    ['a trailing dot', ['Host: localhost.'], '403'],
    ['upper case', ['Host: LOCALHOST'], '403'],
    ['another way of writing the address', ['Host: [::ffff:127.0.0.1]'], '403'],
  ])('row 28: Host: %s', async (_what, hosts, status) => {
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT']) {
      const head = [`${method} /mcp HTTP/1.1`, ...hosts, 'Connection: close', 'Content-Length: 0', '', ''];
      expect(await said(handle.url, head.join('\r\n'))).toContain(`HTTP/1.1 ${status} `);
    }
    expect(desk.seen).toEqual([]);
  });

  it('nothing is done for requests that were read with those that ended their connection', async () => {
    let asked = 0;
    await serve({ authenticate: () => ((asked += 1), { principal: 'ada' }) });
    await said(handle.url, 'GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100));
    expect(asked).toBeLessThan(20);
  });

  it('row 21: 4 MiB and no byte more, by default', async () => {
    const send = async (length: number): Promise<number> => {
      const init = modern('length', { pad: '' });
      const body = String(init.body);
      const padded = body.replace('"pad":""', `"pad":"${'x'.repeat(length - body.length)}"`);
      return (await fetch(handle.url, { ...init, body: padded })).status;
    };
    expect(await send(4 * 1024 * 1024)).toBe(200);
    expect(await send(4 * 1024 * 1024 + 1)).toBe(413);
  });

  it('row 21: a body without end is cut off at the limit', async () => {
    const socket = dial(handle.url);
    const response = heard(socket);
    const head = rawPost('', { 'transfer-encoding': 'chunked' }).replace(/content-length.*\r\n/, '');
    socket.write(head);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let sent = 0;
    while (!socket.destroyed && sent < 1_000) {
      sent += 1;
      if (!socket.write(chunk)) await Promise.race([new Promise((go) => socket.once('drain', go)), response]);
    }
    await response;
    expect(sent).toBeLessThan(1_000);
    expect(desk.sessionless?.faults.at(-1)?.code).toBe('TOO_LARGE');
  });

  it('row 21: a length that lies', async () => {
    const body = String(echo.body);
    const long = said(handle.url, rawPost(body, { ...mirrored, 'content-length': String(body.length - 4) }));
    expect(await long).toMatch(/^HTTP\/1\.1 400 /);
    const short = dial(handle.url);
    short.end(rawPost(body, { ...mirrored, 'content-length': String(body.length + 100) }));
    await heard(short);
    expect(desk.sessionless?.received ?? []).toEqual([]);
  });

  it('rows 22 and 23: slow requests are cut while others are served', async () => {
    const url = await serve({ headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const slow = Array.from({ length: 50 }, (_, at) =>
      said(url, at % 2 === 0 ? 'POST /mcp HT' : rawPost('{}', { 'content-length': '1000' })),
    );
    expect(await said(url, rawPost(String(echo.body), { ...mirrored, ...close }))).toContain('200 OK');
    for (const response of await Promise.all(slow)) expect(response).toMatch(/^HTTP\/1\.1 408 /);
    const smuggled = rawPost('0\r\n\r\n', { 'transfer-encoding': 'chunked' });
    expect(await said(url, smuggled)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await said(url, rawPost('{}', { long: 'x'.repeat(65_536) }))).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('fault 9: a caller that disconnects at any byte harms no other', async () => {
    const text = rawPost(String(modern('tell', { count: 2 }).body), { ...mirrored, 'mcp-method': 'tell' });
    for (let end = 1; end <= text.length; end += 3) {
      const socket = dial(handle.url);
      socket.write(text.slice(0, end), () => socket.destroy());
      await heard(socket);
    }
    expect((await fetch(handle.url, echo)).status).toBe(200);
    await vi.waitFor(() =>
      expect(desk.sessionless?.faults.filter(({ code }) => code !== 'CLOSED')).toEqual([]),
    );
  });

  it('a body in one byte pieces is the same', async () => {
    const socket = dial(handle.url);
    socket.setNoDelay();
    const response = heard(socket);
    for (const byte of Buffer.from(rawPost(String(echo.body), { ...mirrored, ...close }))) {
      socket.write(Uint8Array.of(byte));
    }
    expect(await response).toContain('"echo":{"text":"\u00c3\u00a9"');
  });

  it('other paths are not found', async () => {
    const { origin } = new URL(handle.url);
    for (const path of ['/', '/mcp/', '/mcpx', '/MCP', '//mcp']) {
      expect((await fetch(`${origin}${path}`, echo)).status).toBe(404);
    }
    expect((await fetch(`${handle.url}?a=b`, echo)).status).toBe(200);
  });
});

describe('serving', () => {
  it.each(['192.168.1.5', '0.0.0.0', '::'])('row 29: "%s" needs authentication', async (host) => {
    await expect(serveHttp(new Desk(), { host })).rejects.toThrow(/other machines.*"dangerouslyOpen"/);
  });

  it.each(['mcp', '', '/mcp?a', 'http://x/mcp'])('"%s" is not a path', async (path) => {
    await expect(serveHttp(new Desk(), { path })).rejects.toThrow(TypeError);
  });

  it('on the server of the user, together with what else it serves', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/own') response.end('own');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const handles = [
      await serveHttp(new Desk(), { server, path: '/a' }),
      await serveHttp(new Desk(), { server, path: '/b' }),
    ];
    expect(handles.map(({ url }) => url)).toEqual([`${origin}/a`, `${origin}/b`]);
    for (const { url } of handles) expect((await fetch(url, echo)).status).toBe(200);
    expect(await (await fetch(`${origin}/own`)).text()).toBe('own');
    for (const handle of handles) await handle.close();
    expect(await (await fetch(`${origin}/own`)).text()).toBe('own');
    server.closeAllConnections();
    server.close();
  });

  it('under a mount that shortens the path', async () => {
    const handler = httpHandler(new Desk());
    const server = createServer((request, response) => {
      request.url = '/';
      handler(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    expect((await fetch(`${origin}/any/where`, echo)).status).toBe(200);
    await handler.close();
    server.closeAllConnections();
    server.close();
  });
});
