import { bridge, defineClient, defineServer, offerMethod, once } from '@rxmcp/core';
import { http } from '@rxmcp/http';
import { fetchHandler } from '@rxmcp/http/fetch';
import { serveHttp } from '@rxmcp/http/node';
import { memory } from '@rxmcp/memory';
import { sse } from '@rxmcp/sse';
import { serveSse } from '@rxmcp/sse/node';
import { reachableRoots } from '@rxmcp/roots/node';
import { stdio } from '@rxmcp/stdio';
import { serveSocket, socket } from '@rxmcp/stdio/net';
import type { ServeHandle, Transport } from '@rxmcp/transport';
import { webSocket } from '@rxmcp/websocket';
import { serveWebSocket } from '@rxmcp/websocket/node';
import { firstValueFrom, Subject, take } from 'rxjs';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';

/*
 * A timer that is set to more than it can hold goes off at once, and Node warns of it: `Infinity` must mean "never" in each
 * duration that a transport takes, and where a server is drained.
 */

const info = { name: 'x', version: '1' };
const never = Infinity;
const client = defineClient({ info });
const overflows: string[] = [];
const warned = ({ name, message }: Error): void => {
  if (name === 'TimeoutOverflowWarning') overflows.push(message);
};

beforeEach(() => void process.on('warning', warned));
afterEach(() => {
  process.off('warning', warned);
  expect(overflows.splice(0)).toEqual([]);
});

interface Side {
  readonly transport: Transport;
  readonly handle: ServeHandle;
}
type Serve = (server: ReturnType<typeof defineServer>) => Promise<Side>;

const sides: Readonly<Record<string, Serve>> = {
  memory(server) {
    const transport = memory({ writeTimeoutMs: never });
    return Promise.resolve({ transport, handle: transport.serve(server) });
  },
  bridge(server) {
    const [front, back] = [memory({ writeTimeoutMs: never }), memory()];
    const behind = back.serve(server);
    const handle = front.serve(bridge(back, { connectTimeoutMs: never }));
    onTestFinished(() => behind.close());
    return Promise.resolve({ transport: front, handle });
  },
  async socket(server) {
    const handle = await serveSocket(server, {
      port: 0,
      firstMessageTimeoutMs: never,
      writeTimeoutMs: never,
    });
    return {
      transport: socket({ port: handle.port, connectTimeoutMs: never, writeTimeoutMs: never }),
      handle,
    };
  },
  async http(server) {
    const handle = await serveHttp(server, {
      port: 0,
      streamAfterMs: never,
      keepAliveIntervalMs: never,
      writeTimeoutMs: never,
      sessionIdleTimeoutMs: never,
    });
    return { transport: http(handle.url), handle };
  },
  async sse(server) {
    const handle = await serveSse(server, {
      port: 0,
      keepAliveIntervalMs: never,
      writeTimeoutMs: never,
      firstMessageTimeoutMs: never,
    });
    return { transport: sse(handle.url, { connectTimeoutMs: never, writeTimeoutMs: never }), handle };
  },
  async webSocket(server) {
    const options = { heartbeatIntervalMs: never, writeTimeoutMs: never };
    const handle = await serveWebSocket(server, { port: 0, firstMessageTimeoutMs: never, ...options });
    return { transport: webSocket(handle.url, { connectTimeoutMs: never, ...options }), handle };
  },
};

it.each(Object.entries(sides))(
  'Infinity means no limit over %s, for a drain as well',
  async (_name, serve) => {
    const [begun, finish] = [new Subject<void>(), new Subject<{ done: true }>()];
    const slow = offerMethod(
      'own/slow',
      {},
      () => (queueMicrotask(() => begun.next()), finish.pipe(take(1))),
    );
    const { transport, handle } = await serve(defineServer({ info, offers: [slow] }));
    const remote = await client.connect(transport, { timeoutMs: never });
    const running = firstValueFrom(begun);
    const answer = once(remote.request('own/slow', {}, { idleTimeoutMs: never, totalTimeoutMs: never }));
    await running;
    let drained = false;
    const draining = handle.drain({ timeoutMs: never }).then(() => (drained = true));
    // What a timer of too long a time would do is done within a few milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(drained).toBe(false);
    finish.next({ done: true });
    expect(await answer).toEqual({ done: true });
    await Promise.all([draining, remote.close()]);
  },
);

it('never kills a child that was asked to end', async () => {
  const saving = 'process.stdin.resume().on("end", () => setTimeout(() => { console.error("saved"); }, 300))';
  const lines: string[] = [];
  const connection = await stdio({
    command: process.execPath,
    args: ['-e', saving],
    stderr: (line) => void lines.push(line),
    closeTimeouts: { stdinTimeoutMs: never, sigtermTimeoutMs: never },
  }).dial();
  await connection.close();
  expect(lines).toEqual(['saved']);
});

it('never looks again whether roots exist', async () => {
  const list = await firstValueFrom(reachableRoots([{ uri: 'file:///' }], { checkIntervalMs: never }));
  expect(list).toEqual([{ uri: 'file:///' }]);
});

it('makes no client poll', () => {
  expect(() => fetchHandler(defineServer({ info, offers: [] }), { pollIntervalMs: never })).toThrow(
    new TypeError('"pollIntervalMs" must be a finite number'),
  );
});
