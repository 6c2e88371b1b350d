import { MemoryBudget } from '@rxmcp/transport';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchHandler } from '../../src/fetch.js';
import type { HttpHandlerOptions } from '../../src/node.js';
import { idsIn, listening, messagesIn, modern, post, request, until } from './calls.js';
import { Desk } from './desk.js';
import { greet, Reader } from './fixtures.js';
import { dial, rawPost } from './raw.js';
import { served } from './served.js';

const mebibyte = 1024 * 1024;
const options: HttpHandlerOptions = {
  authenticate: (head) => ({ principal: head.headerValues('authorization')[0] ?? 'nobody' }),
  eventStore: { maxCharactersPerStream: 32 * mebibyte },
  maxMessageBytes: 32 * mebibyte,
};

/** The same request of a caller. */
function as(authorization: string, init: RequestInit): RequestInit {
  return { ...init, headers: { ...(init.headers as Record<string, string>), authorization } };
}

/** A socket that sends a request and reads nothing. */
function unread(url: string, authorization: string, init: RequestInit) {
  const socket = dial(url);
  onTestFinished(() => void socket.destroy());
  socket.pause();
  const headers = { ...(init.headers as Record<string, string>), authorization };
  if (init.body !== undefined) socket.write(rawPost(String(init.body), headers));
  else {
    const lines = Object.entries({ host: 'localhost', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`GET /mcp HTTP/1.1\r\n${lines.join('')}\r\n`);
  }
  return socket;
}

/** Reads to the end. */
async function bytesOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<number> {
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length;
  return bytes;
}

describe('streams that a principal does not read', () => {
  it('are cut beyond its share, and another principal is answered', async () => {
    const memory = new MemoryBudget({ maxBytes: 5 * mebibyte });
    const rig = await served(options, memory);
    const endless = modern('tell', { count: 1_000_000, pad: 'x'.repeat(64_000) });
    const sockets = Array.from({ length: 4 }, () => unread(rig.url, 'ada', endless));
    // Each would hold 1 MiB, and their principal may hold 2.5 MiB.
    await until(() => rig.desk.sessionless?.lanesClosed.length === 2);
    expect(rig.desk.sessionless?.faults).toMatchObject([
      { code: 'OVERFLOW', message: expect.stringContaining('principal ada') },
      { code: 'OVERFLOW' },
    ]);
    expect((await rig.ask(as('bob', modern('tell', { count: 3 })))).status).toBe(200);
    await until(() => memory.heldBytes >= 2 * mebibyte);
    expect(memory.stats().largest.map(({ holder }) => holder)).toEqual(['principal ada']);
    expect(rig.open(...sockets)).toBe(2);
    for (const socket of sockets) socket.destroy();
    await until(() => memory.heldBytes === 0);
  });

  it('make a large result an error, since its handler has run', async () => {
    const memory = new MemoryBudget({ maxBytes: 40 * mebibyte });
    const rig = await served(options, memory);
    const first = unread(rig.url, 'ada', modern('large', { length: 16 * mebibyte }));
    await until(() => memory.heldBytes > 16 * mebibyte);
    const result = modern('tell', { count: 1, length: 8 * mebibyte });
    const refused = await rig.ask(as('ada', result));
    expect(refused.headers.get('content-type')).toBe('text/event-stream');
    const said = messagesIn(await refused.text());
    expect(said).toMatchObject([
      { method: 'told' },
      { id: 1, error: { code: -31001, data: { executed: true } } },
    ]);
    expect((await (await rig.ask(as('bob', result))).text()).length).toBeGreaterThan(8 * mebibyte);
    first.destroy();
    await until(() => memory.heldBytes === 0);
    expect((await (await rig.ask(as('ada', result))).text()).length).toBeGreaterThan(8 * mebibyte);
    await until(() => memory.heldBytes === 0);
  });

  it('still end with a short result', async () => {
    const memory = new MemoryBudget({ maxBytes: mebibyte });
    const rig = await served(options, memory);
    const reader = new Reader(
      await rig.ask(as('ada', modern('tell', { count: 1, hold: true, length: 60_000 }))),
    );
    await reader.until('told');
    memory.tryCharge('principal ada', mebibyte);
    rig.desk.release();
    expect(messagesIn(await reader.rest()).at(-1)).toMatchObject({ id: 1, result: { told: 1 } });
  });

  it('are charged after their end until they are read, also over the web platform', async () => {
    const memory = new MemoryBudget({ maxBytes: 40 * mebibyte });
    const handler = fetchHandler(new Desk(memory), {});
    onTestFinished(() => handler.close());
    const ask = () =>
      handler(new Request('http://localhost/mcp', modern('tell', { count: 4, pad: 'x'.repeat(200_000) })));
    const [read, left] = [await ask(), await ask()];
    await until(() => memory.heldBytes >= 2 * 800_000);
    expect(messagesIn(await read.text())).toHaveLength(5);
    await until(() => memory.heldBytes < mebibyte);
    expect(memory.heldBytes).toBeGreaterThanOrEqual(800_000);
    await left.body?.cancel();
    expect(memory.heldBytes).toBe(0);
  });

  it('are charged over the web platform until they are read, also where they are one JSON text', async () => {
    const memory = new MemoryBudget({ maxBytes: 40 * mebibyte });
    const handler = fetchHandler(new Desk(memory), {});
    onTestFinished(() => handler.close());
    const ask = () => handler(new Request('http://localhost/mcp', modern('large', { length: 2 * mebibyte })));
    const [read, left] = [await ask(), await ask()];
    expect(read.headers.get('content-type')).toBe('application/json');
    await until(() => memory.heldBytes >= 4 * mebibyte);
    expect((await read.text()).length).toBeGreaterThan(2 * mebibyte);
    await until(() => memory.heldBytes < 3 * mebibyte);
    expect(memory.heldBytes).toBeGreaterThanOrEqual(2 * mebibyte);
    await left.body?.cancel();
    expect(memory.heldBytes).toBe(0);
  });
});

describe('what a session sent before it had a reader', () => {
  it('is charged until a reader comes or the session ends, and the oldest is lost where it is refused', async () => {
    const memory = new MemoryBudget({ maxBytes: mebibyte });
    const rig = await served(options, memory);
    const headers = await greet(rig, '2025-11-25', { authorization: 'ada' });
    const push = async (at: number) => {
      const response = await rig.ask(post(request('push', { at, length: 20_000 }), headers));
      expect(await response.text()).toContain('result');
    };
    const idle = memory.heldBytes;
    await push(1);
    await push(2);
    await until(() => memory.heldBytes > idle + 40_000);
    const rest = mebibyte / 2 - memory.heldBytes - 4_096;
    expect(memory.tryCharge('principal ada', rest)).toBe(true);
    await push(3);
    memory.release('principal ada', rest);
    const reader = new Reader(await rig.ask(listening(headers)));
    await reader.until('"at":3');
    expect(messagesIn(reader.text).map(({ params }) => (params as { at: number }).at)).toEqual([2, 3]);
    expect(memory.heldBytes).toBe(idle);
    await reader.leave();
  });

  it('is released with the session', async () => {
    const memory = new MemoryBudget({ maxBytes: mebibyte });
    const rig = await served(options, memory);
    const headers = await greet(rig, '2025-11-25', { authorization: 'ada' });
    const idle = memory.heldBytes;
    await (await rig.ask(post(request('push', { length: 20_000 }), headers))).text();
    await until(() => memory.heldBytes > idle + 20_000);
    await rig.ask({ method: 'DELETE', headers });
    await until(() => memory.heldBytes === 0);
  });
});

/** What a stream is charged that can be resumed. */
const streamBytes = 1_024;

describe('replays that a principal does not read', () => {
  it('are charged to it: the next one is cut, and can come back', async () => {
    const memory = new MemoryBudget({ maxBytes: 60 * mebibyte });
    const rig = await served(options, memory);
    const filled = async (streams: number) => {
      const headers = await greet(rig, '2025-11-25', { authorization: 'ada' });
      const params = { count: 96, pad: 'x'.repeat(256 * 1024), hold: true };
      const response = await rig.ask(post(request('tell', params), headers));
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const { value: start } = await reader.read();
      const rest = bytesOf(reader);
      await until(() => rig.desk.holding === streams);
      await reader.cancel();
      await rest;
      return listening({ ...headers, 'last-event-id': idsIn(Buffer.from(start ?? []).toString())[0] ?? '' });
    };
    const [one, other] = [await filled(1), await filled(2)];
    await until(() => memory.heldBytes <= 2 * streamBytes);
    const first = unread(rig.url, 'ada', one);
    // The system takes some MiB of it.
    await until(() => memory.heldBytes > 8 * mebibyte);
    const second = unread(rig.url, 'ada', other);
    await until(() => rig.desk.sessions[1]?.faults.length === 1);
    expect(rig.desk.sessions[1]?.faults).toMatchObject([{ code: 'OVERFLOW' }]);
    expect(rig.open(first)).toBe(1);
    await until(() => rig.open(second) === 0);
    first.destroy();
    await until(() => memory.heldBytes <= 2 * streamBytes);
    const again = (await rig.ask(other)).body as ReadableStream<Uint8Array>;
    rig.desk.release();
    expect(await bytesOf(again.getReader())).toBeGreaterThan(24 * mebibyte);
    await until(() => memory.heldBytes <= 2 * streamBytes);
  });
});
