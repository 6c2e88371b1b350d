import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { http } from '@rxmcp/http';
import { serveHttp } from '@rxmcp/http/node';
import { sse } from '@rxmcp/sse';
import { serveSse, sseHandlers } from '@rxmcp/sse/node';
import type { ConnectionHandler, ServeHandle, Transport } from '@rxmcp/transport';
import { webSocket } from '@rxmcp/websocket';
import { serveWebSocket, webSocketHandler } from '@rxmcp/websocket/node';
import { BehaviorSubject, map, NEVER, Subject, firstValueFrom } from 'rxjs';
import { defineClient, defineServer, once, reconnect, type Remote } from 'rxmcp';
import { offerResources, resource, resources, readText } from 'rxmcp/resources';
import { offerTools, text, tool, tools } from 'rxmcp/tools';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { freePort } from '../../../../vitest.ports.js';

interface Options {
  readonly port?: number;
  readonly maxMessageBytes?: number;
}

interface Carrier {
  readonly serve: (
    server: ConnectionHandler,
    options: Options,
  ) => Promise<ServeHandle & { readonly url: string }>;
  readonly dial: (url: string) => Transport;
}

const carriers: Readonly<Record<'http' | 'sse' | 'ws', Carrier>> = {
  http: { serve: serveHttp, dial: http },
  sse: { serve: serveSse, dial: sse },
  ws: { serve: serveWebSocket, dial: webSocket },
};

/** Ways to mount a server in one of the reader's own, in the place of what was mounted before. */
const mounts: Readonly<Record<'sse' | 'ws', (server: ConnectionHandler, place: Server) => ServeHandle>> = {
  sse(server, place) {
    const handlers = sseHandlers(server);
    place.removeAllListeners('request').on('request', handlers.handle);
    return handlers;
  },
  ws(server, place) {
    const handler = webSocketHandler(server);
    place.removeAllListeners('upgrade').on('upgrade', handler.upgrade);
    return handler;
  },
};

function described() {
  const value = new BehaviorSubject('one');
  const finish = new Subject<void>();
  const seen = { runs: 0, hanging: 0 };
  const big = tool('big', { input: z.object({ size: z.number() }) }, ({ size }) => text('x'.repeat(size)));
  const slow = tool('slow', {}, async () => {
    seen.runs += 1;
    await firstValueFrom(finish);
    return text('done');
  });
  const hang = tool('hang', {}, () => {
    seen.hanging += 1;
    return NEVER;
  });
  const server = defineServer({
    info: { name: 'desk', version: '1.0.0' },
    offers: [
      offerTools([big, slow, hang]),
      offerResources([resource('desk://value', {}, value.pipe(map(String)))]),
    ],
  });
  return { server, value, finish, seen };
}

const client = defineClient({ info: { name: 'c', version: '1.0.0' } });

async function said(remote: Remote, name: string, args: object = {}): Promise<string> {
  const { content } = await once(tools(remote).call(name, args));
  return (content[0] as { text: string }).text;
}

async function connected(carrier: Carrier, url: string): Promise<Remote> {
  const remote = await client.connect(carrier.dial(url));
  onTestFinished(() => remote.close());
  return remote;
}

describe.each(Object.entries(carriers))('over %s', (name, carrier) => {
  it('fault 14: a large answer is sent in parallel with small ones to others, and all arrive', async () => {
    const { server } = described();
    const handle = await carrier.serve(server, { maxMessageBytes: 12 * 1024 * 1024 });
    onTestFinished(() => handle.close());
    const size = 3 * 1024 * 1024;
    const [one, other] = [await connected(carrier, handle.url), await connected(carrier, handle.url)];
    const large = Array.from({ length: 3 }, () => said(one, 'big', { size }));
    const own = said(one, 'big', { size: 1 });
    for (let at = 0; at < 50; at += 1) expect(await said(other, 'big', { size: at })).toHaveLength(at);
    for (const answer of await Promise.all(large)) expect(answer).toHaveLength(size);
    expect(await own).toBe('x');
  });

  it('fault 14: one over the limit ends its call with an error, and the session stays open', async () => {
    const { server } = described();
    const handle = await carrier.serve(server, { maxMessageBytes: 64 * 1024 });
    onTestFinished(() => handle.close());
    server.faults$.subscribe();
    const remote = await connected(carrier, handle.url);
    await expect(said(remote, 'big', { size: 100_000 })).rejects.toMatchObject({ code: -32603 });
    expect(await said(remote, 'big', { size: 3 })).toBe('xxx');
  });

  // Where a dial opens a connection, one that meets no server is tried again after a second.
  const restarts = name === 'http' ? 100 : 10;
  it(`fault 15: over ${restarts} restarts at one port no call is lost and none runs twice`, async () => {
    let desk = described();
    const port = await freePort();
    let handle = await carrier.serve(desk.server, { port });
    onTestFinished(() => handle.close());
    const { url } = handle;
    const remotes = new BehaviorSubject<Remote | undefined>(undefined);
    const living = client
      .live(carrier.dial(url))
      .pipe(reconnect({ initialDelayMs: 20, stableAfterMs: 1 }))
      .subscribe((remote) => remotes.next(remote));
    onTestFinished(() => living.unsubscribe());
    for (let round = 0; round < restarts; round += 1) {
      const answer = await vi.waitUntil(async () => {
        const remote = remotes.value;
        if (remote === undefined) return false;
        const running = said(remote, 'slow');
        running.catch(() => undefined);
        // A remote of the server before may find out now that it is disconnected.
        return await Promise.race([
          vi.waitUntil(() => desk.seen.runs === 1).then(() => ({ running })),
          running.then(
            () => false as const,
            () => false as const,
          ),
        ]);
      });
      const drained = handle.drain({ timeoutMs: 60_000 });
      desk.finish.next();
      expect(await answer.running).toBe('done');
      await drained;
      expect(desk.seen.runs).toBe(1);
      desk = described();
      handle = await carrier.serve(desk.server, { port });
    }
  });
});

it.each([
  ['sse', 'http', '/sse'],
  ['ws', 'ws', '/'],
] as const)(
  'fault 16: over %s a server that knows nothing of the session gets a new one, and subscriptions continue',
  async (name, scheme, path) => {
    const [carrier, mount] = [carriers[name], mounts[name]];
    const [before, after] = [described(), described()];
    const place = createServer();
    await new Promise<void>((resolve) => place.listen(0, '127.0.0.1', resolve));
    const first = mount(before.server, place);
    const { port } = place.address() as AddressInfo;
    const url = `${scheme}://127.0.0.1:${String(port)}${path}`;
    const remote = await connected(carrier, url);
    const values: (string | undefined)[] = [];
    const following = resources(remote)
      .watch('desk://value')
      .subscribe(([contents]) => values.push(contents === undefined ? undefined : readText(contents)));
    onTestFinished(() => following.unsubscribe());
    await vi.waitUntil(() => values.at(-1) === 'one');
    const hanging = once(tools(remote).call('hang'));
    const ended = expect(hanging).rejects.toMatchObject({ outcome: 'unknown' });
    await vi.waitUntil(() => before.seen.hanging === 1);
    after.value.next('two');
    const second = mount(after.server, place);
    onTestFinished(async () => {
      await second.close();
      place.closeAllConnections();
      place.close();
    });
    await first.close();
    await ended;
    await vi.waitUntil(() => values.at(-1) === 'two');
    expect(await said(remote, 'big', { size: 2 })).toBe('xx');
    // What was in flight is not asked again.
    expect(after.seen.hanging).toBe(0);
  },
);
