import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { http } from '@rxmcp/http';
import { serveHttp } from '@rxmcp/http/node';
import { type SdkTransport, toSdkTransport } from '@rxmcp/transport/sdk';
import { defineServer, progressItem } from 'rxmcp';
import { offerTools, text, type Tool, tool } from 'rxmcp/tools';
import { BehaviorSubject, concat, interval, map, NEVER, take, timer } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';

interface Official {
  connect(transport: SdkTransport): Promise<void>;
  listTools(): Promise<unknown>;
  /** Counts what the server says of its list. */
  changed(heard: () => void): void;
  call(name: string, args: object, options?: object): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: 'desk', version: '1.0.0' };

function v1(): Official {
  const client = new ClientV1(info);
  return {
    connect: (transport) => client.connect(transport),
    listTools: () => client.listTools(),
    changed: (heard) => client.setNotificationHandler(ToolListChangedNotificationSchema, heard),
    call: (name, args, options) => client.callTool({ name, arguments: { ...args } }, undefined, options),
    close: () => client.close(),
  };
}

function v2(mode: 'legacy' | 'auto'): Official {
  const client = new ClientV2(info, { versionNegotiation: { mode } });
  return {
    connect: (transport) => client.connect(transport),
    listTools: () => client.listTools(),
    changed: (heard) => client.setNotificationHandler('notifications/tools/list_changed', heard),
    call: (name, args, options) => client.callTool({ name, arguments: { ...args } }, options),
    close: () => client.close(),
  };
}

const said = (answer: unknown): unknown => (answer as { content: { text?: string }[] }).content[0]?.text;

/** The headers of the requests, and a server whose tool requires one of its parameters in a header. */
async function desk() {
  let [begun, stopped] = [0, 0];
  const where = z.string().meta({ 'x-mcp-header': 'Region' });
  const all: readonly Tool[] = [
    tool('greet', { input: z.object({ name: z.string() }) }, ({ name }) => text(`Hello, ${name}!`)),
    tool('look', { input: z.object({ where }) }, ({ where: at }) => text(`looked at ${at}`)),
    tool('climb', { input: z.object({}) }, () =>
      concat(
        interval(2).pipe(
          take(3),
          map((at) => progressItem(at + 1, 3)),
        ),
        timer(2).pipe(map(() => text('There.'))),
      ),
    ),
    tool('hang', { input: z.object({}) }, (_input, { signal }) => {
      begun += 1;
      signal.addEventListener('abort', () => (stopped += 1));
      return NEVER;
    }),
  ];
  const offered = new BehaviorSubject(all);
  const server = defineServer({ info: { name: 'ours', version: '1.0.0' }, offers: [offerTools(offered)] });
  const handle = await serveHttp(server);
  onTestFinished(() => handle.close());
  const requests: Headers[] = [];
  const transport = toSdkTransport(
    http(handle.url, {
      fetch: (url, init) => {
        if (init.method === 'POST') requests.push(new Headers(init.headers));
        return fetch(url, init);
      },
    }),
  );
  return { transport, requests, offered, begun: () => begun, stopped: () => stopped };
}

describe.each([
  ['v1', v1, undefined],
  ['v2, legacy', () => v2('legacy'), undefined],
  ['v2, modern', () => v2('auto'), '2026-07-28'],
] as const)('the official client %s over our Streamable HTTP', (_name, make, modern) => {
  it('lists, calls, receives progress, cancels and leaves', async () => {
    const { transport, begun, stopped } = await desk();
    const client = make();
    await client.connect(transport);
    onTestFinished(() => client.close());
    await client.listTools();
    expect(said(await client.call('greet', { name: 'Ada' }))).toBe('Hello, Ada!');
    const steps: unknown[] = [];
    const onprogress = ({ progress: step }: { progress: number }): void => void steps.push(step);
    expect(said(await client.call('climb', {}, { onprogress }))).toBe('There.');
    expect(steps).toEqual([1, 2, 3]);
    const abort = new AbortController();
    const hanging = client.call('hang', {}, { signal: abort.signal });
    const ended = expect(hanging).rejects.toThrow();
    await vi.waitUntil(() => begun() === 1);
    abort.abort();
    await ended;
    await vi.waitUntil(() => stopped() === 1);
  });

  it('repeats the body of a modern request in headers, and sends no such headers with an older one', async () => {
    const { transport, requests } = await desk();
    const client = make();
    await client.connect(transport);
    onTestFinished(() => client.close());
    await client.listTools();
    expect(said(await client.call('look', { where: 'Grüße ' }))).toBe('looked at Grüße ');
    const {
      'mcp-method': method,
      'mcp-name': name,
      'mcp-param-region': region,
      ...rest
    } = Object.fromEntries(requests.at(-1) ?? []);
    const told = modern === undefined ? [undefined, undefined] : ['tools/call', 'look'];
    expect([method, name]).toEqual(told);
    expect(region).toBe(modern === undefined ? undefined : '=?base64?R3LDvMOfZSA=?=');
    if (modern !== undefined) expect(rest['mcp-protocol-version']).toBe(modern);
  });
});

it.each([
  ['v1', v1],
  ['v2', () => v2('legacy')],
] as const)(
  'the official client %s in a session of ours is notified of changes over the standing stream',
  async (_name, make) => {
    const { transport, offered } = await desk();
    const client = make();
    let told = 0;
    client.changed(() => (told += 1));
    await client.connect(transport);
    onTestFinished(() => client.close());
    await client.listTools();
    offered.next(offered.value.slice(1));
    await vi.waitUntil(() => told === 1);
  },
);
