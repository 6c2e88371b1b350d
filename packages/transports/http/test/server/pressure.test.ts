import { MemoryBudget } from '@rxmcp/transport';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serveHttp, type HttpServeHandle, type ServeHttpOptions } from '../../src/node.js';
import { modern, post, request, until } from './calls.js';
import { Desk } from './desk.js';
import { dial, heard, rawPost } from './raw.js';
import { greet, type Rig } from './fixtures.js';
import { served } from './served.js';

let desk: Desk;
let handle: HttpServeHandle;

async function serve(options: ServeHttpOptions = {}, memory?: MemoryBudget): Promise<Rig> {
  desk = new Desk(memory);
  handle = await serveHttp(desk, options);
  return {
    desk,
    ask: (init) => fetch(handle.url, init),
    drain: () => handle.drain(),
    close: () => handle.close(),
  };
}

afterEach(() => (handle as HttpServeHandle | undefined)?.close());

const pad = 'x'.repeat(4_096);
const body = String(modern('tell', { count: 100_000, pad }).body);
const endless = rawPost(body, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tell' });

describe('fault 13: a client that reads nothing', () => {
  it('makes its sender wait, is cut in the end, and slows no other client down', async () => {
    const rig = await serve({ writeTimeoutMs: 300 });
    const stalled = Array.from({ length: 20 }, () => {
      const socket = dial(handle.url);
      socket.pause();
      socket.write(endless);
      return socket;
    });
    await until(() => desk.sessionless?.received.length === stalled.length);
    for (let call = 0; call < 50; call += 1) expect((await rig.ask(modern('echo'))).status).toBe(200);
    await until(() => desk.sessionless?.lanesClosed.length === stalled.length);
    // Each had 100,000 messages of 4 KiB coming: 400 MB. The system takes some MiB for each socket.
    expect((desk.told * pad.length) / stalled.length).toBeLessThan(10 * 1024 * 1024);
    for (const socket of stalled) socket.destroy();
  });

  it('that comes back to reading in time gets all of it', async () => {
    await serve({ writeTimeoutMs: 20_000 });
    const socket = dial(handle.url);
    socket.pause();
    const count = 5_000;
    const text = String(modern('tell', { count, pad }).body);
    const all = heard(socket);
    socket.pause();
    socket.write(
      rawPost(text, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tell', connection: 'close' }),
    );
    await until(() => desk.sessionless?.received.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.resume();
    expect((await all).match(/"method":"told"/g)).toHaveLength(count);
  });

  it('of a whole response is cut as well', async () => {
    const rig = await served({ writeTimeoutMs: 200, maxMessageBytes: 32 * 1024 * 1024 });
    const large = String(modern('echo', { pad: 'x'.repeat(16 * 1024 * 1024) }).body);
    const socket = dial(rig.url);
    socket.pause();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(rawPost(large, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'echo' }));
    await until(() => rig.desk.sessionless?.received.length === 1);
    await until(() => rig.open(socket) === 0);
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('answers that a caller does not read', () => {
  it('are charged to it until they are read, and further large ones are refused', async () => {
    const mebibyte = 1024 * 1024;
    const memory = new MemoryBudget({ maxBytes: 40 * mebibyte });
    const rig = await served({ maxMessageBytes: 32 * mebibyte }, memory);
    const large = modern('large', { length: 16 * mebibyte });
    const socket = dial(rig.url);
    socket.pause();
    socket.write(rawPost(String(large.body), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'echo' }));
    await until(() => memory.heldBytes > 16 * mebibyte);
    await until(() => memory.heldBytes < 17 * mebibyte);
    const refused = await rig.ask(large);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ id: 1, error: { code: -31001, data: { executed: true } } });
    expect((await rig.ask(modern('echo'))).status).toBe(200);
    socket.destroy();
    await until(() => memory.heldBytes === 0);
    expect((await (await rig.ask(large)).text()).length).toBeGreaterThan(16 * mebibyte);
    await until(() => memory.heldBytes === 0);
  });
});

describe('fault 24: too many large bodies at a time', () => {
  const mebibyte = 1024 * 1024;
  const bearer = (name: string): { readonly authorization: string } => ({ authorization: `Bearer ${name}` });
  const options: ServeHttpOptions = {
    maxBufferedBytes: 4 * mebibyte,
    maxMessageBytes: 2 * mebibyte,
    authenticate: (head) => ({ principal: head.headerValues('authorization')[0] ?? '' }),
  };
  const echo = modern('echo');
  const as = (name: string, init: RequestInit = echo): RequestInit => ({
    ...init,
    headers: { ...(init.headers as Record<string, string>), ...bearer(name) },
  });
  const unfinished = (name: string, arrived: number): string =>
    rawPost('x'.repeat(arrived), { ...bearer(name), 'content-length': String(mebibyte) });

  it('of one caller are refused to that caller, with a time to retry, and released when they go', async () => {
    const memory = new MemoryBudget({ maxBytes: 64 * mebibyte });
    const rig = await serve(options, memory);
    const sockets = Array.from({ length: 2 }, () => dial(handle.url));
    for (const socket of sockets) socket.write(unfinished('ada', mebibyte - 1));
    // Before, the last part of one of them could be too much.
    await until(() => memory.heldBytes >= 2 * (mebibyte - 1));
    const further = as('ada', modern('length', { pad: 'x'.repeat(0.1 * mebibyte) }));
    const refused = await rig.ask(further);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    const message = 'the caller holds too much memory';
    expect(await refused.json()).toMatchObject({ error: { code: -31001, message } });
    // A short body that arrives in one piece takes no room.
    expect((await rig.ask(as('ada'))).status).toBe(200);
    expect((await rig.ask(as('bob'))).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect((await rig.ask(further)).status).toBe(200));
    const large = as('ada', modern('length', { pad: 'x'.repeat(1.5 * mebibyte) }));
    for (let round = 0; round < 10; round += 1) expect((await rig.ask(large)).status).toBe(200);
  });

  it('of many callers are refused with a message that blames none of them', async () => {
    const memory = new MemoryBudget({ maxBytes: 64 * mebibyte });
    const rig = await serve(options, memory);
    const sockets = ['ada', 'bob', 'cyd', 'dan'].map((name) => {
      const socket = dial(handle.url);
      socket.write(unfinished(name, 0.9 * mebibyte));
      return socket;
    });
    await until(() => memory.heldBytes >= 4 * Math.floor(0.9 * mebibyte));
    const refused = await rig.ask(as('eve', modern('length', { pad: 'x'.repeat(0.5 * mebibyte) })));
    expect(refused.status).toBe(503);
    const message = 'the bodies of all requests take too much memory';
    expect(await refused.json()).toMatchObject({ error: { code: -31001, message } });
    for (const socket of sockets) socket.destroy();
  });

  it('that are only declared take no room', async () => {
    const rig = await serve(options);
    const sockets = Array.from({ length: 16 }, () => dial(handle.url));
    for (const socket of sockets) socket.write(unfinished('ada', 1));
    await vi.waitFor(async () => expect((await rig.ask(as('bob'))).status).toBe(200));
    expect((await rig.ask(as('ada'))).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

describe('fault 14: a large response', () => {
  it('is sent in parallel with small ones', async () => {
    const rig = await serve({ maxMessageBytes: 12 * 1024 * 1024 });
    const headers = await greet(rig);
    const large = rig.ask(post(request('echo', { pad: 'x'.repeat(10 * 1024 * 1024) }), headers));
    for (let id = 0; id < 20; id += 1)
      expect((await rig.ask(post(request('echo', {}, id), headers))).status).toBe(200);
    const { result } = (await (await large).json()) as { result: { echo: { pad: string } } };
    expect(result.echo.pad).toHaveLength(10 * 1024 * 1024);
  });

  it('over the limit is refused to its sender, and the session stays open', async () => {
    const rig = await serve({ maxMessageBytes: 64 * 1024 });
    const headers = await greet(rig);
    const [session] = desk.sessions;
    const big = { jsonrpc: '2.0' as const, method: 'big', params: { pad: 'é'.repeat(33_000) } };
    await expect(session?.connection.send(big)).rejects.toMatchObject({
      code: 'TOO_LARGE',
      outcome: 'not-sent',
    });
    expect((await rig.ask(post(request('echo'), headers))).status).toBe(200);
  });
});
