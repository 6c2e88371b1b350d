import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpHandler, serveHttp } from '../../src/node.js';
import { modern } from './calls.js';
import { Desk } from './desk.js';
import { said } from './raw.js';

const { headers, body } = modern('echo') as { headers: Record<string, string>; body: string };
const usual: Record<string, string> = {
  host: 'localhost',
  ...headers,
  'content-length': String(body.length),
  connection: 'close',
};

/** A request of the modern era: many other headers, the usual ones, and some more. */
function asking(more: readonly string[] = [], others = 0): string {
  const lines = Object.entries(usual).map(([name, value]) => `${name}: ${value}`);
  const [host = '', ...rest] = lines;
  const all = [host, ...Array<string>(others).fill('a:'), ...rest, ...more];
  return ['POST /mcp HTTP/1.1', ...all, '', body].join('\r\n');
}

function status(response: string): string | undefined {
  return /^HTTP\/1\.1 (\d+)/.exec(response)?.[1];
}

async function mounted(maxHeadersCount: number | null = null): Promise<{ desk: Desk; url: string }> {
  const desk = new Desk();
  const handler = httpHandler(desk);
  const server: Server = createServer({ maxHeaderSize: 64 * 1024 }, handler);
  server.maxHeadersCount = maxHeadersCount;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await handler.close();
    server.closeAllConnections();
    server.close();
  });
  return { desk, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp` };
}

describe('row 23: a header that Node would drop', () => {
  it('is checked where the listener is created here', async () => {
    const desk = new Desk();
    const handle = await serveHttp(desk);
    onTestFinished(() => handle.close());
    expect(status(await said(handle.url, asking([], 200)))).toBe('200');
    expect(status(await said(handle.url, asking(['origin: https://evil.com'], 200)))).toBe('403');
    expect(status(await said(handle.url, asking(['origin: https://evil.com'], 256)))).toBe('431');
    expect(desk.sessionless?.received).toHaveLength(1);
  });

  it.each([
    [null, 1_000, '431'],
    [null, 900, '403'],
    [2_000, 1_900, '403'],
    [50, 50, '431'],
    [0, 2_100, '403'],
  ])('on a server with maxHeadersCount %s and %s headers: %s', async (limit, count, expected) => {
    const { desk, url } = await mounted(limit);
    expect(status(await said(url, asking(['origin: https://evil.com'], count)))).toBe(expected);
    expect(desk.sessionless).toBeUndefined();
  });
});

const repeated: readonly (readonly [string, string])[] = [
  ['authorization', 'Bearer a'],
  ['content-encoding', 'identity'],
  ['content-type', 'application/json'],
  ['content-type', 'text/plain'],
  ['host', 'localhost'],
  ['host', 'evil.com'],
  ['last-event-id', '1'],
  ['mcp-method', 'echo'],
  ['mcp-name', 'echo'],
  ['mcp-protocol-version', '2026-07-28'],
  ['mcp-session-id', 'one'],
  ['origin', 'http://localhost'],
];

describe('row 23: a single-value header twice', () => {
  it.each(repeated)('%s: %s', async (name, value) => {
    const { desk, url } = await mounted();
    const once = name in usual ? [] : [`${name}: ${value}`];
    const twice = [...once, `${name.toUpperCase()}: ${value}`];
    const response = await said(url, asking(twice));
    expect(status(response)).toBe('400');
    expect(response).toContain('a header occurs twice that may occur once');
    expect(desk.sessionless).toBeUndefined();
  });

  it('content-length', async () => {
    const { url } = await mounted();
    expect(status(await said(url, asking([`content-length: ${usual['content-length'] ?? ''}`])))).toBe('400');
  });

  it('other headers may occur twice, also those that look alike', async () => {
    const { url } = await mounted();
    const others = [
      'mcp-xxxx: 1',
      'Mcp-Yyyy: 2',
      'x-a: 1',
      'x-a: 2',
      'accept: */*',
      'cookie: a=1',
      'cookie: b=2',
    ];
    expect(status(await said(url, asking(others)))).toBe('200');
  });
});
