import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { closedPort } from '../../../vitest.ports.js';
import { GuardedFetch, hostKind } from '../src/client/requests.js';

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const guarded = (server: string) => new GuardedFetch((url, init) => fetch(url, init), new URL(server));

describe('addresses that a server names', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['[::1]', 'loopback'],
    ['app.localhost', 'loopback'],
    ['10.1.2.3', 'private'],
    ['169.254.169.254', 'private'],
    ['172.16.0.1', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['[fd00::1]', 'private'],
    ['[fe80::1]', 'private'],
    ['[::ffff:a00:1]', 'private'],
    ['[2001:db8::1]', 'public'],
    ['[::]', 'private'],
    ['[64:ff9b::a00:1]', 'private'],
    ['[64:ff9b:1::a00:1]', 'private'],
    ['[2002:a00:1::]', 'private'],
    ['[::a00:1]', 'private'],
    ['[fec0::1]', 'private'],
    ['198.19.0.1', 'private'],
    ['198.20.0.1', 'public'],
    ['192.0.0.8', 'private'],
    ['192.0.2.1', 'public'],
    ['metadata.internal', 'private'],
    ['intranet', 'private'],
    ['intranet.', 'private'],
    ['kubernetes.default.svc', 'private'],
    ['printer.lan', 'private'],
    ['db.corp', 'private'],
    ['box.localdomain', 'private'],
    ['box.local', 'private'],
    ['local.example.com', 'public'],
    ['224.0.0.1', 'private'],
    ['240.0.0.1', 'private'],
    ['255.255.255.255', 'private'],
    ['223.255.255.255', 'public'],
    ['[2001::7f00:1]', 'private'],
    ['[2001:0:a:b:c:d:e:f]', 'private'],
    ['[2001:1::1]', 'public'],
    ['[100::1]', 'private'],
    ['[ff02::1]', 'private'],
    ['10.evil.com', 'public'],
    ['192.168.1.1.evil.com', 'public'],
    ['127.evil.com', 'public'],
    ['127.0.0.1.nip.io', 'public'],
    ['example.com', 'public'],
  ])('%s is %s', (host, kind) => {
    expect(hostKind(host)).toBe(kind);
    expect(hostKind(new URL(`https://${host}`).hostname)).toBe(kind);
  });

  it.each([
    [
      'http://example.com/token',
      'credentials are not sent to http://example.com: use https:, except on this machine',
    ],
    ['ftp://example.com/', 'use https:'],
    ['https://169.254.169.254/latest', 'private network'],
    ['http://127.0.0.1:1/', 'private network'],
    ['http://127.evil.com/token', 'credentials are not sent to'],
    ['nonsense', 'not a URL'],
  ])('%s of a public server is refused', (address, reason) => {
    const check = (): unknown => guarded('https://mcp.example.com/mcp').check(address);
    expect(check).toThrow(expect.objectContaining({ code: 'INSECURE_URL' }) as Error);
    expect(check).toThrow(reason);
  });

  it('may not be private where the name of the server only begins as an address does', () => {
    const check = (): unknown => guarded('https://10.evil.com/mcp').check('https://169.254.169.254/latest');
    expect(check).toThrow('private network');
  });

  it('may be of this machine where the server is', () => {
    expect(guarded('http://127.0.0.1:1/mcp').check('http://localhost:2/').origin).toBe('http://localhost:2');
  });
});

describe('an address that cannot be reached', () => {
  it('is named with the code of the system', async () => {
    const url = `http://127.0.0.1:${closedPort}`;
    await expect(guarded(url).send(`${url}/a`)).rejects.toMatchObject({
      code: 'DISCOVERY_FAILED',
      message: `${url} could not be reached (ECONNREFUSED)`,
    });
  });
});

describe('what they answer', () => {
  it.each([
    ['HTML', '<html>', undefined],
    ['a list', '[]', undefined],
    ['an object', '{"a":1}', { a: 1 }],
  ])('%s', async (_, body, value) => {
    const url = await listening((__, response) => void response.end(body));
    expect(await guarded(url).json(url)).toEqual(value);
  });

  it.each([
    [
      'more than 256 KiB',
      (body: string) => ({ status: 200, headers: {}, body: body.repeat(256 * 1024 + 1) }),
    ],
    ['a redirect', () => ({ status: 302, headers: { location: '/' }, body: '' })],
  ])('%s is an error', async (_, make) => {
    const { status, headers, body } = make('x');
    const url = await listening((__, response) => void response.writeHead(status, headers).end(body));
    await expect(guarded(url).json(url)).rejects.toMatchObject({ code: 'DISCOVERY_FAILED' });
  });
});

it('a response that arrives after its 15 s is cancelled', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const cancel = vi.fn<() => void>();
  const late = (): Promise<Response> =>
    new Promise((resolve) => setTimeout(() => resolve(new Response(new ReadableStream({ cancel }))), 20_000));
  const server = 'https://mcp.example.com';
  const sent = new GuardedFetch(late, new URL(server)).send(server);
  const failed = expect(sent).rejects.toMatchObject({ code: 'DISCOVERY_FAILED' });
  await vi.advanceTimersByTimeAsync(15_000);
  await failed;
  expect(cancel).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(cancel).toHaveBeenCalledTimes(1);
});
