import {
  Client as V2Client,
  StreamableHTTPClientTransport as V2Transport,
} from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { http } from '@rxmcp/http';
import { defineClient, once } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { resources } from 'rxmcp/resources';
import { offerRoots } from 'rxmcp/roots';
import { offerSampling } from 'rxmcp/sampling';
import { tools } from 'rxmcp/tools';
import { exhaustive } from '../../../../vitest.exhaustive.js';

/** A client as the tests need it. */
export interface Caller {
  readonly revision: string;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<string>;
  /** Reads a resource. */
  read(uri: string): Promise<string>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly progress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** One kind of client. */
export interface CallerKind {
  readonly name: string;
  connect(url: string): Promise<Caller>;
}

const roots = [{ uri: 'file:///work', name: 'work' }];
const poem = { model: 'm', role: 'assistant' as const, content: { type: 'text' as const, text: 'roses' } };
const title = { action: 'accept' as const, content: { title: 'Ode' } };
const capabilities = { sampling: {}, roots: {}, elicitation: {} };

/** Each era, and the oldest one, which has no forms; all of them in an exhaustive run. */
const revisions = [
  '2026-07-28',
  '2025-11-25',
  ...(exhaustive ? ['2025-06-18', '2025-03-26'] : []),
  '2024-11-05',
];

/** Both official SDKs and ours, in every way that they speak. */
export const callers: readonly CallerKind[] = [
  { name: 'official v1', connect: v1 },
  { name: 'official v2, legacy', connect: (url) => v2(url, 'legacy') },
  { name: 'official v2, modern', connect: (url) => v2(url, 'auto') },
  ...revisions.map((version) => ({
    name: `ours, ${version}`,
    connect: (url: string) => ours(url, version),
  })),
];

/** The text of the first block of a result. */
function textIn(result: object): string {
  const { content } = result as { content?: { text?: string }[] };
  return content?.[0]?.text ?? '';
}

function valueOf(contents: readonly object[]): string {
  return (contents[0] as { text?: string } | undefined)?.text ?? '';
}

async function v1(url: string): Promise<Caller> {
  const client = new V1Client({ name: 'v1', version: '1' }, { capabilities });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  client.setRequestHandler(CreateMessageRequestSchema, () => poem);
  client.setRequestHandler(ElicitRequestSchema, () => title);
  const transport = new V1Transport(new URL(url));
  await client.connect(transport as Parameters<V1Client['connect']>[0]);
  return {
    revision: transport.protocolVersion ?? '',
    async call(name, args, { progress, signal } = {}) {
      const onprogress = progress && ((at: { progress: number }) => progress(at.progress));
      const options = { ...(onprogress && { onprogress }), ...(signal && { signal }) };
      return textIn(await client.callTool({ name, arguments: args }, undefined, options));
    },
    read: async (uri) => valueOf((await client.readResource({ uri })).contents),
    async close() {
      await transport.terminateSession();
      await client.close();
    },
  };
}

async function v2(url: string, mode: 'legacy' | 'auto'): Promise<Caller> {
  const client = new V2Client({ name: 'v2', version: '1' }, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('roots/list', () => ({ roots }));
  client.setRequestHandler('sampling/createMessage', () => poem);
  client.setRequestHandler('elicitation/create', () => title);
  await client.connect(new V2Transport(new URL(url)));
  return {
    revision: client.getNegotiatedProtocolVersion() ?? '',
    async call(name, args, { progress, signal } = {}) {
      const onprogress = progress && ((at: { progress: number }) => progress(at.progress));
      const options = { ...(onprogress && { onprogress }), ...(signal && { signal }) };
      return textIn(await client.callTool({ name, arguments: args }, options));
    },
    read: async (uri) => valueOf((await client.readResource({ uri })).contents),
    close: () => client.close(),
  };
}

async function ours(url: string, version: string): Promise<Caller> {
  const client = defineClient({
    info: { name: 'ours', version: '1' },
    versions: [version],
    offers: [
      offerRoots(roots),
      offerSampling(() => poem, { approve: 'dangerouslyAlways' }),
      offerElicitation(() => title),
    ],
  });
  const remote = await client.connect(http(url));
  return {
    revision: version,
    async call(name, args, { progress, signal } = {}) {
      let result: object = {};
      const events = tools(remote).events(name, args);
      await new Promise<void>((resolve, reject) => {
        const subscription = events.subscribe({
          next: (event) => {
            if (event.type === 'progress') progress?.(event.progress);
            else if (event.type === 'result') result = event.result;
          },
          error: reject,
          complete: resolve,
        });
        signal?.addEventListener('abort', () => {
          subscription.unsubscribe();
          reject(new Error('aborted'));
        });
      });
      return textIn(result);
    },
    read: async (uri) => valueOf(await once(resources(remote).read(uri))),
    close: () => remote.close(),
  };
}
