import { expect, it, onTestFinished } from 'vitest';
import { defineClient, defineServer, offerMethod, once } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { resources } from 'rxmcp/resources';
import { serveSocket } from 'rxmcp/stdio/net';
import { stdio } from 'rxmcp/stdio';
import { tools } from 'rxmcp/tools';
import type { ConnectionHandler, ServeHandle, Transport } from 'rxmcp/transport';
import { bridge } from 'rxmcp';
import { joins } from './joins.js';
import { answering, scene, versions } from './scenes.js';
import { until } from './until.js';

/** A server that acts as a separate process: it has a process, and ends on request. */
const mortal = `
const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1');
process.stdin.on('data', (chunk) => (chunk.includes('x/die') ? process.exit(9) : socket.write(chunk)));
process.stdin.on('end', () => socket.end());
socket.on('data', (chunk) => process.stdout.write(chunk));
socket.on('close', () => process.exit(0));
`;

function serving<H extends ServeHandle>(handle: H): H {
  onTestFinished(async () => void (await handle.close()));
  return handle;
}

function inFront(acceptor: ConnectionHandler): { front: Transport; handle: ServeHandle } {
  const front = memory();
  return { front, handle: serving(front.serve(acceptor)) };
}

it.each(versions)(
  '%s: a child that dies ends its client, and pending requests fail with a typed error',
  async (version) => {
    const { server } = scene();
    const { port } = serving(await serveSocket(server, { port: 0 }));
    const faults: string[] = [];
    const child = stdio({ command: process.execPath, args: ['-e', mortal, String(port)] });
    const { front } = inFront(bridge(child, { onFault: ({ code }) => void faults.push(code) }));
    const remote = await answering(version).connect(front);
    const states: string[] = [];
    remote.status$.subscribe(({ state }) => states.push(state));
    const hanging = once(tools(remote).call('hang'));
    const ended = expect(hanging).rejects.toMatchObject({
      code: -31003,
      data: { code: 'CONNECTION_LOST', outcome: 'unknown' },
    });
    await once(tools(remote).call('echo'));
    await once(remote.request('x/die')).catch(() => undefined);
    await ended;
    await until(() => states.at(-1) === 'closed');
    expect(faults).toContain('CONNECTION_LOST');
    const open: number[] = [];
    server.connections$.subscribe((all) => open.push(all.length));
    await until(() => open.at(-1) === 0);
  },
);

it('a client that leaves closes its own connection behind the bridge only', async () => {
  const { server, torn } = scene();
  const there = await joins['memory']?.(server, onTestFinished);
  const { front } = inFront(bridge(there as Transport));
  const [a, b] = [await answering('2025-11-25').connect(front), await answering('2026-07-28').connect(front)];
  onTestFinished(() => b.close());
  const open: number[] = [];
  server.connections$.subscribe((all) => open.push(all.length));
  expect(open.at(-1)).toBe(2);
  tools(a)
    .call('hang')
    .subscribe({ error: () => undefined });
  await once(tools(a).call('echo'));
  await a.close();
  await until(() => open.at(-1) === 1);
  expect(torn).toEqual(['hang']);
  await once(tools(b).call('echo'));
});

it.each(['memory', 'http', 'stdio'])('reports an unreachable server to the client, over %s', async (name) => {
  const nowhere: Transport = { name: 'nowhere', dial: () => Promise.reject(new Error('no server')) };
  const front = await joins[name]?.(bridge(nowhere), onTestFinished);
  const client = defineClient({ info: { name: 'c', version: '1' } });
  await expect(client.connect(front as Transport)).rejects.toMatchObject({
    code: -31003,
    data: { retryable: true },
  });
});

it.each(['memory', 'http', 'sse', 'stdio', 'websocket'])(
  'reports a full bridge to the client, over %s',
  async (name) => {
    const front = await joins[name]?.(bridge(memory(), { maxClients: 0 }), onTestFinished);
    const client = defineClient({ info: { name: 'c', version: '1' } });
    await expect(client.connect(front as Transport)).rejects.toMatchObject({
      code: -31001,
      data: { retryable: true, executed: false },
    });
  },
);

it.each(['2025-11-25', '2026-07-28'])(
  '%s: a drain lets calls finish, ends subscriptions in order, and admits nothing',
  async (version) => {
    let finish: (value: Record<string, unknown>) => void = () => undefined;
    const slow = offerMethod('x/slow', {}, () => new Promise((resolve) => (finish = resolve)));
    const link = memory();
    const { server, value } = scene();
    const behind = memory();
    serving(behind.serve(server));
    serving(link.serve(defineServer({ info: { name: 's', version: '1' }, offers: [slow] })));
    const { front, handle } = inFront(bridge(link));
    const watching = inFront(bridge(behind));
    const remote = await answering(version).connect(front);
    const watcher = await answering(version).connect(watching.front);
    onTestFinished(async () => void (await Promise.all([remote.close(), watcher.close()])));
    const seen: unknown[] = [];
    let end: unknown;
    resources(watcher)
      .watch('v://now')
      .subscribe({
        next: () => seen.push(1),
        error: (e: unknown) => (end = e),
        complete: () => (end = 'complete'),
      });
    await until(() => seen.length === 1);
    value.next(2);
    await until(() => seen.length === 2);
    const call = once(remote.request('x/slow'));
    await until(() => finish.length === 1);
    await watching.handle.drain({ timeoutMs: 1_000 });
    await until(() => end !== undefined);
    expect(end).toBe('complete');
    const drained = handle.drain({ timeoutMs: 60_000 });
    finish({ late: true });
    expect(await call).toMatchObject({ late: true });
    await drained;
  },
);
