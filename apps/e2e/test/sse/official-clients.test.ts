import { Client as V2Client, SSEClientTransport as V2Transport } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/sse.js';
import {
  CreateMessageRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { bearer } from '@rxmcp/transport/guard';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ServedPond, servedPond } from './pond.js';

/** What the tests ask of an official client. */
interface OfficialClient {
  serverName(): string | undefined;
  tools(): Promise<string[]>;
  call(
    name: string,
    args?: object,
    options?: { signal?: AbortSignal; progress?: (at: number) => void },
  ): Promise<unknown>;
  watch(uri: string): Promise<void>;
  onclose(callback: () => void): void;
  close(): Promise<void>;
}

interface Told {
  readonly updated?: (uri: string) => void;
  readonly headers?: Record<string, string>;
}

const roots = [{ uri: 'file:///pond', name: 'the pond' }];
const poem = { model: 'm', role: 'assistant' as const, content: { type: 'text' as const, text: 'roses' } };
const info = { name: 'official', version: '1.0.0' };
const capabilities = { sampling: {}, roots: {} };

async function v1(url: string, { updated, headers = {} }: Told): Promise<OfficialClient> {
  const client = new V1Client(info, { capabilities });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  client.setRequestHandler(CreateMessageRequestSchema, () => poem);
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated?.(params.uri));
  await client.connect(new V1Transport(new URL(url), { requestInit: { headers } }));
  return {
    serverName: () => client.getServerVersion()?.name,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}, { signal, progress } = {}) => {
      const onprogress = progress && ((at: { progress: number }) => progress(at.progress));
      const options = { ...(signal && { signal }), ...(onprogress && { onprogress }) };
      return (await client.callTool({ name, arguments: { ...args } }, undefined, options)).content;
    },
    watch: async (uri) => void (await client.subscribeResource({ uri })),
    onclose: (callback) => (client.onclose = callback),
    close: () => client.close(),
  };
}

async function v2(url: string, { updated, headers = {} }: Told): Promise<OfficialClient> {
  const client = new V2Client(info, { capabilities });
  client.setRequestHandler('roots/list', () => ({ roots }));
  client.setRequestHandler('sampling/createMessage', () => poem);
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated?.(params.uri));
  await client.connect(new V2Transport(new URL(url), { requestInit: { headers } }));
  return {
    serverName: () => client.getServerVersion()?.name,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}, { signal, progress } = {}) => {
      const onprogress = progress && ((at: { progress: number }) => progress(at.progress));
      const options = { ...(signal && { signal }), ...(onprogress && { onprogress }) };
      return (await client.callTool({ name, arguments: { ...args } }, options)).content;
    },
    watch: async (uri) => void (await client.subscribeResource({ uri })),
    onclose: (callback) => (client.onclose = callback),
    close: () => client.close(),
  };
}

describe.each([
  ['v1', v1],
  ['v2', v2],
] as const)('the official %s client at our server', (_, connect) => {
  async function connected(told: Told = {}): Promise<ServedPond & { client: OfficialClient }> {
    const served = await servedPond();
    const client = await connect(served.serving.url, told);
    onTestFinished(() => client.close());
    return { ...served, client };
  }

  it('lists, calls and receives progress', async () => {
    const { client } = await connected();
    expect(client.serverName()).toBe('pond');
    expect(await client.tools()).toContain('count');
    const heard: number[] = [];
    const content = await client.call('count', { to: 3 }, { progress: (at) => heard.push(at) });
    expect(content).toMatchObject([{ text: 'counted to 3' }]);
    // They lose progress that comes in one turn with the result, as the third does here.
    expect(heard.slice(0, 2)).toEqual([1, 2]);
  });

  it('is asked, and answers', async () => {
    const { client } = await connected();
    expect(await client.call('ask')).toMatchObject([{ text: 'roses' }]);
  });

  it('receives changes', async () => {
    const updated = vi.fn();
    const { client, level } = await connected({ updated });
    await client.watch('pond://level');
    await vi.waitUntil(() => level.observed);
    level.next(21);
    await vi.waitUntil(() => updated.mock.calls.length > 0);
    expect(updated).toHaveBeenCalledWith('pond://level');
  });

  it('cancels, and receives the end', async () => {
    const { client, hanging, serving } = await connected();
    const cancelling = new AbortController();
    const failed = expect(client.call('hang', {}, { signal: cancelling.signal })).rejects.toThrow();
    await vi.waitUntil(() => hanging.running === 1);
    cancelling.abort();
    await failed;
    await vi.waitUntil(() => hanging.torndown === 1);
    await serving.close();
  });

  it('many clients at once are independent, and one that leaves is not a fault', async () => {
    const { server, serving } = await servedPond();
    const faults: string[] = [];
    const following = server.faults$.subscribe(({ code }) => faults.push(code));
    let open = 0;
    const counting = server.connections$.subscribe((connections) => (open = connections.length));
    onTestFinished(() => (following.unsubscribe(), counting.unsubscribe()));
    const clients = await Promise.all(Array.from({ length: 10 }, () => connect(serving.url, {})));
    // Each of them numbers its requests from 0.
    const texts = await Promise.all(clients.map((client, to) => client.call('count', { to })));
    expect(texts).toMatchObject(clients.map((_client, to) => [{ text: `counted to ${String(to)}` }]));
    expect(open).toBe(10);
    await Promise.all(clients.map((client) => client.close()));
    await vi.waitUntil(() => open === 0);
    expect(faults).toEqual([]);
  });

  it('names the caller', async () => {
    const { serving } = await servedPond({ authenticate: bearer({ ada: 'open-sesame' }) });
    const client = await connect(serving.url, { headers: { authorization: 'Bearer open-sesame' } });
    onTestFinished(() => client.close());
    expect(await client.call('whoami')).toMatchObject([{ text: 'ada' }]);
    await expect(connect(serving.url, {})).rejects.toThrow();
  });
});
