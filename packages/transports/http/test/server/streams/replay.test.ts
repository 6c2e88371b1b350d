import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { HttpHandlerOptions } from '../../../src/node.js';
import { idsIn, listening, messagesIn, post, request, until } from '../calls.js';
import { dial, heard } from '../raw.js';
import { greet, Reader, type Rig, rigs } from '../fixtures.js';
import { served } from '../served.js';

/** A socket that asks for the rest of a stream and reads nothing of it. */
function resuming(url: string, headers: Record<string, string>, id: string): Socket {
  const socket = dial(url);
  socket.pause();
  const all = { host: 'localhost', accept: 'text/event-stream', ...headers, 'last-event-id': id };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET /mcp HTTP/1.1\r\n${lines.join('')}\r\n`);
  onTestFinished(() => void socket.destroy());
  return socket;
}

const megabyte = 1024 * 1024;
/** More than the system keeps of a socket that is not read. */
const large: HttpHandlerOptions = {
  eventStore: { maxCharactersPerStream: 32 * megabyte },
  maxMessageBytes: 32 * megabyte,
};

/** Fills a stream with about so many MiB, keeps it open, and gives its first id. */
async function filled(
  rig: Rig,
  headers: Record<string, string>,
  count: number,
  size: number,
): Promise<string> {
  const params = { count, pad: 'x'.repeat(size), hold: true };
  const reader = new Reader(await rig.ask(post(request('tell', params), headers)));
  await reader.until(`"at":${String(count - 1)},`);
  await until(() => rig.desk.holding === 1);
  await reader.leave();
  return idsIn(reader.text)[0] ?? '';
}

it('fault 13: a reader that was replaced while it hangs is cut, so that one stream has one copy', async () => {
  const rig = await served(large);
  const headers = await greet(rig);
  const id = await filled(rig, headers, 96, 256 * 1024);
  const before = rig.bytesWritten();
  const sockets = Array.from({ length: 12 }, () => resuming(rig.url, headers, id));
  await until(() => rig.gets() === sockets.length);
  await until(() => rig.open(...sockets) === 1);
  expect((await rig.ask(post(request('echo'), headers))).status).toBe(200);
  // Written whole, these were 288 MiB.
  expect(rig.bytesWritten() - before).toBeLessThan(100 * megabyte);
});

it('fault 13: a reader that comes back and is slow is fed as it reads, then gets what is new', async () => {
  const rig = await served(large);
  const headers = await greet(rig);
  const id = await filled(rig, headers, 200, 64 * 1024);
  const socket = resuming(rig.url, { ...headers, connection: 'close' }, id);
  await until(() => rig.open(socket) === 1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  rig.desk.release();
  const [{ connection } = { connection: undefined }] = rig.desk.sessions;
  await connection?.send({ jsonrpc: '2.0', method: 'beside' }).catch(() => undefined);
  const all = heard(socket);
  socket.resume();
  const text = await all;
  const got = messagesIn(text.replace(/\r\n[0-9a-f]+\r\n/g, ''));
  const ats = got.slice(0, -1).map(({ params }) => (params as { at: number }).at);
  expect(ats).toEqual(Array.from({ length: 200 }, (_, at) => at));
  expect(got.at(-1)).toMatchObject({ id: 1, result: { told: 200 } });
});

it('fault 13: a reader that comes back and reads nothing is cut in time, and can come back', async () => {
  const rig = await served({ ...large, writeTimeoutMs: 45_000 });
  const headers = await greet(rig);
  const id = await filled(rig, headers, 200, 64 * 1024);
  for (const isOver of [false, true]) {
    if (isOver) rig.desk.release();
    const socket = resuming(rig.url, headers, id);
    await until(() => rig.writeTimeoutMs(socket) === 45_000);
    rig.stall(socket);
    await until(() => rig.open(socket) === 0);
    socket.destroy();
  }
  const reader = new Reader(await rig.ask(listening({ ...headers, 'last-event-id': id })));
  expect(messagesIn(await reader.rest())).toHaveLength(201);
});

it('fault 13: the end of a stream whose reader takes nothing is not waited for without end', async () => {
  const rig = await served({ ...large, writeTimeoutMs: 300 });
  const headers = await greet(rig);
  const body = JSON.stringify(request('tell', { count: 1, pad: 'x'.repeat(16 * megabyte) }));
  const socket = dial(rig.url);
  socket.pause();
  const all = { host: 'localhost', accept: 'application/json, text/event-stream', ...headers };
  const lines = Object.entries({ ...all, 'content-type': 'application/json' }).map(
    ([n, v]) => `${n}: ${v}\r\n`,
  );
  const length = `content-length: ${String(Buffer.byteLength(body))}\r\n`;
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`);
  await until(() => rig.desk.sessions[0]?.received.length === 2);
  await until(() => rig.open(socket) === 0);
  socket.destroy();
});

it.each(rigs)('the end of one session asks no client to reconnect $name', async ({ serve: serveRig }) => {
  const rig = await serveRig();
  const headers = await greet(rig);
  const standing = new Reader(await rig.ask(listening(headers)));
  await standing.until('id: ');
  expect((await rig.ask({ method: 'DELETE', headers })).status).toBe(200);
  expect(await standing.rest()).not.toContain('retry:');
  await rig.close();
});
