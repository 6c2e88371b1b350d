import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  type Answers,
  type ClientColumn,
  type Heard,
  type OfficialClient,
  textOf,
} from './official-client.js';

/** The client of `@modelcontextprotocol/sdk`, which knows the legacy era only. */
export const v1Client: ClientColumn = {
  name: 'v1 client',
  revision: '2025-11-25',
  missingCode: -32002,
  cannot: {},
  async connect(args, answers, heard) {
    const client = new Client(
      { name: 'official-v1', version: '1.0.0' },
      { capabilities: capabilitiesOf(answers) },
    );
    answer(client, answers);
    hear(client, heard);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...args],
      stderr: 'pipe',
    });
    // The SDK keeps the agreed revision to itself, but passes it to transports that have a method for it.
    let revision = '';
    Object.assign(transport, { setProtocolVersion: (version: string) => (revision = version) });
    await client.connect(transport);
    return connected(client, revision);
  },
};

function capabilitiesOf(answers: Answers): ClientCapabilities {
  return {
    ...(answers.sampling && { sampling: {} }),
    ...(answers.roots && { roots: { listChanged: true } }),
    // Bare, as clients of 2025-06-18 declare it: it means forms.
    ...(answers.elicitation && { elicitation: {} }),
  };
}

function answer(client: Client, { sampling, roots, elicitation }: Answers): void {
  if (sampling !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, { signal }) => {
      const text = await sampling(params.messages.map(({ content }) => textOf(content)).join('\n'), signal);
      return { model: 'official-v1-model', role: 'assistant', content: { type: 'text', text } };
    });
  }
  if (roots !== undefined) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots() }));
  if (elicitation !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      const form = 'requestedSchema' in params ? params.requestedSchema : undefined;
      return elicitation(params.message, Object.keys(form?.properties ?? {}));
    });
  }
}

function hear(client: Client, { updated, resourcesChanged, log }: Heard): void {
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated?.(params.uri));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => resourcesChanged?.());
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
    log?.({ level: params.level, data: params.data, logger: params.logger }),
  );
}

function connected(client: Client, revision: string): OfficialClient {
  return {
    revision,
    serverName: client.getServerVersion()?.name,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    async call(name, args, { progress, signal } = {}) {
      const result = await client.callTool({ name, arguments: args }, undefined, {
        ...(progress && { onprogress: (at) => progress(at.progress, at.total) }),
        ...(signal && { signal }),
      });
      return {
        text: textOf(result.content),
        structured: result.structuredContent,
        isError: result.isError === true,
      };
    },
    read: async (uri) =>
      (await client.readResource({ uri })).contents as Awaited<ReturnType<OfficialClient['read']>>,
    async watch(uri) {
      await client.subscribeResource({ uri });
      return async () => void (await client.unsubscribeResource({ uri }));
    },
    async prompt(name, args) {
      const { messages } = await client.getPrompt({ name, arguments: args });
      return messages.map(({ role, content }) => ({ role, text: textOf(content) }));
    },
    setLogLevel: async (level) => void (await client.setLoggingLevel(level)),
    close: () => client.close(),
  };
}
