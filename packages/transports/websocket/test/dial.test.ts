import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { webSocket, type WebSocketOptions } from '../src/index.js';
import { recording } from '@rxmcp/transport-tck/recording';
import { breathe, stand, turnsUntil } from './stand.js';

/** The address of an HTTP server that answers every upgrade with the text given. */
async function answering(response: string): Promise<{ url: string; server: Server }> {
  const server = createServer();
  server.on('upgrade', (_, socket) => void socket.end(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`, server };
}

/** The headers of every handshake that a server was sent. */
async function overheard(): Promise<{ url: string; heads: IncomingHttpHeaders[] }> {
  const heads: IncomingHttpHeaders[] = [];
  const { url, server } = await answering('HTTP/1.1 418 Teapot\r\n\r\n');
  server.on('upgrade', ({ headers }) => void heads.push(headers));
  return { url, heads };
}

const dial = (url: string | URL, options: WebSocketOptions = {}) => webSocket(url, options).dial();

describe('a dial fails', () => {
  test('where no server listens, with the code of the system', async () => {
    const { url, server } = await answering('');
    server.close();
    await expect(dial(url)).rejects.toMatchObject({
      code: 'DIAL_FAILED',
      outcome: 'not-sent',
      message: `cannot connect to ${url}: ECONNREFUSED`,
      details: { code: 'ECONNREFUSED' },
    });
  });

  test('with UNAUTHORIZED and the challenge at 401 and 403', async () => {
    const challenge = 'Bearer resource_metadata="https://a.example/.well-known"';
    const { url } = await answering(`HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: ${challenge}\r\n\r\n`);
    await expect(dial(url)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      details: { status: 401, challenge },
    });
    const forbidden = await answering('HTTP/1.1 403 Forbidden\r\n\r\n');
    await expect(dial(forbidden.url)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      outcome: 'not-sent',
      details: { status: 403 },
    });
  });

  test.each([
    [503, '2', 2_000],
    [429, '2', 2_000],
    [503, '100000', 60_000],
    [503, 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('with %i, Retry-After: %s, retryable after %i ms', async (status, value, retryAfterMs) => {
    const { url } = await answering(`HTTP/1.1 ${status} No\r\nRetry-After: ${value}\r\n\r\n`);
    await expect(dial(url)).rejects.toMatchObject({
      code: 'DIAL_FAILED',
      retryable: true,
      details: { status, retryAfterMs },
    });
  });

  test.each([
    ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', { details: { status: 200 } }],
    ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n', {}],
    ['nonsense\r\n\r\n', {}],
    ['', {}],
  ])('with a response that is not a handshake: %j', async (response, more) => {
    const { url } = await answering(response);
    await expect(dial(url)).rejects.toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent', ...more });
  });

  test('row 72: at a redirect, which is not followed', async () => {
    const canary = await overheard();
    const { url } = await answering(`HTTP/1.1 302 Found\r\nLocation: ${canary.url}\r\n\r\n`);
    await expect(dial(url)).rejects.toMatchObject({ code: 'DIAL_FAILED', details: { status: 302 } });
    expect(canary.heads).toEqual([]);
  });

  test.each([
    ['nonsense', 'not a URL'],
    ['ftp://127.0.0.1/', 'is not a scheme of WebSockets'],
    ['ws://ada:secret@127.0.0.1:1/', 'pass them in "headers"'],
  ])('for the address %s', async (address, words) => {
    const failed = await dial(address).catch((error: unknown) => error as Error);
    expect(failed).toMatchObject({ code: 'DIAL_FAILED' });
    expect((failed as Error).message).toContain(words);
    expect(String(failed)).not.toContain('secret');
  });

  test('after 10 s without a response, or the set time', async () => {
    const silent = createTcpServer((socket) => void socket.on('error', () => undefined).resume());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const closed = new Promise((resolve) => silent.on('connection', (socket) => socket.on('close', resolve)));
    onTestFinished(() => void silent.close());
    const url = `ws://127.0.0.1:${String((silent.address() as AddressInfo).port)}/mcp`;
    await expect(dial(url, { connectTimeoutMs: 30 })).rejects.toMatchObject({
      code: 'DIAL_FAILED',
      message: `${url} did not answer within 0.03 s`,
    });
    await closed;
  });

  test('with DIAL_ABORTED at its signal, leaving no socket', async () => {
    const silent = createTcpServer((socket) => void socket.on('error', () => undefined).resume());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const connected = once(silent, 'connection');
    const closed = new Promise((resolve) => silent.on('connection', (socket) => socket.on('close', resolve)));
    const giving = new AbortController();
    const url = `ws://127.0.0.1:${String((silent.address() as AddressInfo).port)}/mcp`;
    const dialled = webSocket(url).dial({ signal: giving.signal });
    await connected;
    giving.abort(new Error('enough'));
    await expect(dialled).rejects.toMatchObject({ code: 'DIAL_ABORTED', cause: { message: 'enough' } });
    await closed;
  });
});

describe('headers', () => {
  test('are asked for anew at each dial, also as a promise', async () => {
    const { url, heads } = await overheard();
    let count = 0;
    const transport = webSocket(url, {
      headers: async () => ({ authorization: `Bearer ${String((count += 1))}`, 'x-desk': 'a' }),
    });
    for (let round = 0; round < 2; round += 1) await transport.dial().catch(() => undefined);
    expect(heads.map(({ authorization }) => authorization)).toEqual(['Bearer 1', 'Bearer 2']);
    expect(heads[0]).toMatchObject({ 'x-desk': 'a', 'sec-websocket-protocol': 'mcp' });
    expect(heads[0]).not.toHaveProperty('sec-websocket-extensions');
  });

  test('that cannot be had fail the dial, the reason as its cause', async () => {
    const { url, heads } = await overheard();
    const cause = new Error('token secret-1 has expired');
    const failed = await dial(`${url}?token=secret-2`, { headers: () => Promise.reject(cause) }).catch(
      (error: unknown) => error as Error,
    );
    expect(failed).toMatchObject({
      code: 'DIAL_FAILED',
      cause,
      message: `the headers for ${url} could not be determined`,
    });
    expect(heads).toEqual([]);
  });

  test('that do not come are waited for no longer than the dial may take', async () => {
    const { url } = await overheard();
    const headers = () => new Promise<never>(() => undefined);
    await expect(dial(url, { headers, connectTimeoutMs: 20 })).rejects.toMatchObject({ code: 'DIAL_FAILED' });
    const signal = AbortSignal.timeout(20);
    await expect(webSocket(url, { headers }).dial({ signal })).rejects.toMatchObject({
      code: 'DIAL_ABORTED',
    });
  });

  test('with characters that no header has fail the dial, and nothing is sent', async () => {
    const { url, heads } = await overheard();
    const headers = { 'x-desk': 'a\r\nevil: 1' };
    await expect(dial(url, { headers })).rejects.toMatchObject({ code: 'DIAL_FAILED' });
    expect(heads).toEqual([]);
  });

  test.each([
    'authorization',
    'Authorization',
    'cookie',
    'proxy-authorization',
    'x-api-key',
    'API-Key',
    'x-auth-token',
  ])('a credential in "%s" is sent to no other machine unencrypted', async (name) => {
    const headers = { [name]: 'secret-3' };
    const failed = await dial('ws://192.0.2.1:9/mcp', { headers, connectTimeoutMs: 20 }).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
    expect(String(failed)).toContain('unencrypted');
    expect(String(failed)).not.toContain('secret-3');
    const options = { headers, connectTimeoutMs: 20, dangerouslyAllowInsecureCredentials: true };
    await expect(dial('ws://192.0.2.1:9/mcp', options)).rejects.not.toThrow('unencrypted');
  });
});

describe('a dial that succeeds', () => {
  test('with http: for ws:', async () => {
    const { url, connection } = await stand();
    const client = await dial(url.replace('ws:', 'http:'));
    client.start(recording());
    await client.send({ jsonrpc: '2.0', method: 'hello' });
    const { record } = await connection();
    await turnsUntil(() => record.messages.length === 1);
  });

  test('and is aborted afterwards stays', async () => {
    const { url } = await stand();
    const giving = new AbortController();
    const client = await webSocket(url).dial({ signal: giving.signal });
    const record = recording();
    client.start(record);
    giving.abort();
    await breathe(20);
    expect(record.closeErrors).toEqual([]);
  });
});
