import { fileURLToPath } from 'node:url';
import { Client as ClientV2, InMemoryTransport as InMemoryV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport as InMemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import type { Transport } from '@rxmcp/transport';
import {
  fromSdkTransport,
  sdkConnectionHandler,
  type SdkTransport,
  serveSdkTransport,
  toSdkTransport,
} from '@rxmcp/transport/sdk';
import { defineClient, defineServer, once, progressItem } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { stdio } from 'rxmcp/stdio';
import { offerTools, text, tool, tools } from 'rxmcp/tools';
import { concat, interval, map, NEVER, take, timer } from 'rxjs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';

const info = { name: 'desk', version: '1.0.0' };
const servers = fileURLToPath(new URL('../counterparts/servers/', import.meta.url));
const said = (answer: unknown): unknown => (answer as { content: { text?: string }[] }).content[0]?.text;

let [begun, stopped] = [0, 0];
const ours = defineServer({
  info: { name: 'ours', version: '1.0.0' },
  offers: [
    offerTools([
      tool('greet', { input: z.object({ name: z.string() }) }, ({ name }) => text(`Hello, ${name}!`)),
      tool('climb', { input: z.object({ steps: z.number() }) }, ({ steps }) =>
        // The official clients lose progress that comes in one turn with its result.
        concat(
          interval(2).pipe(
            take(steps),
            map((i) => progressItem(i + 1, steps)),
          ),
          timer(2).pipe(map(() => text('There.'))),
        ),
      ),
      tool('hang', { input: z.object({}) }, (_input, ctx) => {
        begun += 1;
        ctx.signal.addEventListener('abort', () => (stopped += 1));
        return NEVER;
      }),
    ]),
  ],
});

/** Our client does with a server what everybody does. */
async function ourClient(transport: Transport, expected: string): Promise<void> {
  const remote = await defineClient({ info }).connect(transport);
  onTestFinished(() => remote.close());
  expect(remote.info?.name).toBe(expected);
  const { call, events } = tools(remote);
  expect(said(await once(call('greet', { name: 'Ada' })))).toBe('Hello, Ada!');
  const seen: unknown[] = [];
  await events('climb', { steps: 3 }).forEach((event) => void seen.push(event.type));
  expect(seen).toEqual(['progress', 'progress', 'progress', 'result']);
  const ended = vi.fn();
  remote.status$.subscribe({ complete: ended });
  await remote.close();
  expect(ended).toHaveBeenCalled();
}

interface Official {
  connect(transport: SdkTransport): Promise<void>;
  call(name: string, args: object, options?: object): Promise<unknown>;
  close(): Promise<void>;
  closed(listener: () => void): void;
}

const officialClients: Readonly<Record<string, () => Official>> = {
  v1() {
    const client = new ClientV1(info);
    return {
      connect: (transport) => client.connect(transport),
      call: (name, args, options) => client.callTool({ name, arguments: { ...args } }, undefined, options),
      close: () => client.close(),
      closed: (listener) => (client.onclose = listener),
    };
  },
  'v2, legacy': () => clientV2('legacy'),
  'v2, modern': () => clientV2('auto'),
};

function clientV2(mode: 'legacy' | 'auto'): Official {
  const client = new ClientV2(info, { versionNegotiation: { mode } });
  return {
    connect: (transport) => client.connect(transport),
    call: (name, args, options) => client.callTool({ name, arguments: { ...args } }, options),
    close: () => client.close(),
    closed: (listener) => (client.onclose = listener),
  };
}

/** An official client makes the usual calls to our server. Returns how often it was notified of the end. */
async function officialClient(official: Official, transport: SdkTransport): Promise<number> {
  let ends = 0;
  official.closed(() => (ends += 1));
  await official.connect(transport);
  expect(said(await official.call('greet', { name: 'Ada' }))).toBe('Hello, Ada!');
  const steps: unknown[] = [];
  const onprogress = ({ progress: step }: { progress: number }): void => void steps.push(step);
  expect(said(await official.call('climb', { steps: 3 }, { onprogress }))).toBe('There.');
  expect(steps).toEqual([1, 2, 3]);
  const abort = new AbortController();
  const before = [begun, stopped] as const;
  const hanging = official.call('hang', {}, { signal: abort.signal });
  const ended = expect(hanging).rejects.toThrow();
  await vi.waitUntil(() => begun === before[0] + 1);
  abort.abort();
  await ended;
  await vi.waitUntil(() => stopped === before[1] + 1);
  await official.close();
  return ends;
}

describe.each(Object.entries(officialClients))('the official client %s', (_name, make) => {
  test('over our memory', async () => {
    const link = memory();
    const handle = link.serve(ours);
    onTestFinished(() => handle.close());
    expect(await officialClient(make(), toSdkTransport(link))).toBe(1);
  });

  test('over our child process, to an official server', async () => {
    const official = make();
    const child = stdio({ command: process.execPath, args: [`${servers}v2-server.mjs`] });
    await official.connect(toSdkTransport(child));
    onTestFinished(() => official.close());
    expect(said(await official.call('greet', { name: 'Ada' }))).toBe('Hello, Ada!');
  });

  test('reports to onerror and rejects without a server', async () => {
    const transport = toSdkTransport(stdio({ command: '/nonexistent/no-such-server' }));
    const told: Error[] = [];
    transport.onerror = (error) => void told.push(error);
    await expect(make().connect(transport)).rejects.toMatchObject({ code: 'DIAL_FAILED' });
    expect(told).toMatchObject([{ code: 'DIAL_FAILED' }]);
  });

  test.each([
    ['v1', InMemoryV1],
    ['v2', InMemoryV2],
  ] as const)('at our server over the pair in memory of %s', async (_version, { createLinkedPair }) => {
    const [near, far] = createLinkedPair();
    const handle = serveSdkTransport(ours, far);
    onTestFinished(() => handle.close());
    // The pair of v1 reports its end twice.
    expect(await officialClient(make(), near)).toBeGreaterThan(0);
  });
});

/** What both generations register in the same words. */
const greeting = { content: [{ type: 'text' as const, text: 'Hello, Ada!' }] };
const there = { content: [{ type: 'text' as const, text: 'There.' }] };

function serverV1(): ServerV1 {
  const mcp = new ServerV1({ name: 'official', version: '1.0.0' });
  mcp.registerTool('greet', { inputSchema: { name: z.string() } }, () => greeting);
  mcp.registerTool('climb', { inputSchema: { steps: z.number() } }, async ({ steps }, extra) => {
    for (let step = 1; step <= steps; step += 1) {
      const params = { progressToken: extra._meta?.progressToken ?? 0, progress: step };
      await extra.sendNotification({ method: 'notifications/progress', params });
    }
    return there;
  });
  return mcp;
}

function serverV2(): ServerV2 {
  const mcp = new ServerV2({ name: 'official', version: '1.0.0' });
  mcp.registerTool('greet', { inputSchema: z.object({ name: z.string() }) }, () => greeting);
  mcp.registerTool(
    'climb',
    { inputSchema: z.object({ steps: z.number() }) },
    async ({ steps }, { mcpReq }) => {
      for (let step = 1; step <= steps; step += 1) {
        const params = { progressToken: mcpReq._meta?.progressToken ?? 0, progress: step };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return there;
    },
  );
  return mcp;
}

describe.each([
  ['v1', serverV1, InMemoryV1],
  ['v2', serverV2, InMemoryV2],
] as const)('our client at the official server %s', (version, make, { createLinkedPair }) => {
  test('over its pair in memory, which is dialled anew each time', async () => {
    const transport = fromSdkTransport(async () => {
      const [near, far] = createLinkedPair();
      await make().connect(far);
      return near;
    });
    await ourClient(transport, 'official');
    await ourClient(transport, 'official');
  });

  test('over our memory', async () => {
    const link = memory();
    const handle = link.serve(sdkConnectionHandler((transport) => make().connect(transport)));
    onTestFinished(() => handle.close());
    await Promise.all([ourClient(link, 'official'), ourClient(link, 'official')]);
  });

  test('over its own child process', async () => {
    const args = [`${servers}${version}-server.mjs`];
    const Stdio = version === 'v1' ? StdioV1 : StdioV2;
    await ourClient(
      fromSdkTransport(() => new Stdio({ command: process.execPath, args })),
      `fixture-${version}`,
    );
  });

  test('over its own child process that cannot be started', async () => {
    const Stdio = version === 'v1' ? StdioV1 : StdioV2;
    const transport = fromSdkTransport(() => new Stdio({ command: '/nonexistent/no-such-server' }));
    await expect(defineClient({ info }).connect(transport)).rejects.toMatchObject({
      code: 'DIAL_FAILED',
      outcome: 'not-sent',
    });
  });
});
