import { MemoryBudget } from '@rxmcp/transport';
import { loopTurns } from '@rxmcp/transport/internal';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type EventStore, memoryEventStore } from '../../src/node.js';
import { idsIn, listening, modern, post, request, until } from './calls.js';
import { greet } from './fixtures.js';
import { dial, rawPost } from './raw.js';
import { served } from './served.js';

/** Uses up turns of the event loop, so that ends of exchanges are reported late. Returns what resolves once they have been. */
function busy(): () => Promise<void> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const work = (): void => void vi.advanceTimersByTime(20);
  loopTurns.begin();
  work();
  let isFree = false;
  const keep = (): void => {
    work();
    if (!isFree) loopTurns.run('the test', keep);
  };
  keep();
  return () => {
    isFree = true;
    return new Promise((resolve) => loopTurns.run('the end of the test', resolve));
  };
}

it('a stream that begins after its client has disconnected ends, and so does its request', async () => {
  const rig = await served({});
  const socket = dial(rig.url);
  const { body, headers } = modern('hold');
  socket.write(rawPost(String(body), headers as Record<string, string>));
  await until(() => rig.desk.holding === 1);
  const { connection, received, lanesClosed } = rig.desk.sessionless!;
  const free = busy();
  const closing = new Promise((resolve) => socket.once('close', resolve));
  socket.destroy();
  await closing;
  await until(() => rig.open(socket) === 0);
  expect(lanesClosed).toHaveLength(0);
  await connection.send({ jsonrpc: '2.0', method: 'told' }, { lane: received[0]!.arrival!.lane! });
  await free();
  expect(rig.desk.sessionless!.lanesClosed).toHaveLength(1);
});

it('a stream that is looked up while its session is deleted takes no place', async () => {
  const memory = new MemoryBudget({ maxBytes: 8 * 1024 * 1024 });
  const store = memoryEventStore();
  const waiting: (() => void)[] = [];
  let isSlow = false;
  const slow: EventStore = {
    append: (...event) => store.append(...event),
    // As a database that has read before the deletion.
    readAfter: (id) => {
      const found = store.readAfter(id);
      return isSlow ? new Promise<void>((resolve) => waiting.push(resolve)).then(() => found) : found;
    },
    deleteStream: (stream) => store.deleteStream(stream),
  };
  const rig = await served({ eventStore: slow }, memory);
  const headers = await greet(rig);
  const [id = ''] = idsIn(await (await rig.ask(post(request('tell', { count: 1 }), headers))).text());
  isSlow = true;
  const resumed = rig.ask(listening({ ...headers, 'last-event-id': id }));
  await until(() => waiting.length === 1);
  expect((await rig.ask({ method: 'DELETE', headers })).status).toBe(200);
  waiting[0]?.();
  expect((await resumed).status).toBe(400);
  expect(memory.heldBytes).toBe(0);
});

it('a stream that fails keeps nothing for its next client', async () => {
  const memory = new MemoryBudget({ maxBytes: 8 * 1024 * 1024 });
  const failing: (() => void)[] = [];
  const append = (): Promise<string> =>
    new Promise((_, reject) => failing.push(() => reject(new Error('the store is down'))));
  const rig = await served({ eventStore: { ...memoryEventStore(), append } }, memory);
  const headers = await greet(rig);
  const socket = dial(rig.url);
  const lines = Object.entries({ host: 'localhost', accept: 'text/event-stream', ...headers });
  socket.write(`GET /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  await until(() => failing.length === 1);
  socket.destroy();
  await until(() => rig.open(socket) === 0);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise<void>((resolve) => loopTurns.run('the test', resolve));
  const idle = memory.heldBytes;
  await (await rig.ask(post(request('push', { pad: 'x'.repeat(60_000) }), headers))).text();
  expect(memory.heldBytes).toBeGreaterThan(idle + 60_000);
  for (const fail of failing) fail();
  expect((await rig.ask({ method: 'DELETE', headers })).status).toBe(200);
  await until(() => memory.heldBytes === 0);
});
