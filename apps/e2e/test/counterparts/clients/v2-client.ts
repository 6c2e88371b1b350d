import { Client, type ClientCapabilities } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  type Answers,
  type ClientColumn,
  type Heard,
  type OfficialClient,
  textOf,
} from './official-client.js';

// Both eras' answers become a typed error of this code, the legacy -32002 as well.
const typedAs = -32602;

/** The client of `@modelcontextprotocol/client` as it is without options: it says `initialize`. */
export const v2Legacy: ClientColumn = {
  name: 'v2 legacy client',
  revision: '2025-11-25',
  missingCode: typedAs,
  cannot: {},
  connect: (...given) => connect('legacy', ...given),
};

/** The same client as it finds the era out: with a probe, for which it starts a server of its own. */
export const v2Modern: ClientColumn = {
  name: 'v2 modern client',
  revision: '2026-07-28',
  missingCode: typedAs,
  cannot: {
    'sets the log level':
      'logging/setLevel is no method of 2026-07-28; each request says which logs it requests',
    'withdraws what the server asked':
      'a server of 2026-07-28 asks inside a result, there is no request to withdraw',
  },
  connect: (...given) => connect('auto', ...given),
};

async function connect(
  mode: 'legacy' | 'auto',
  args: readonly string[],
  answers: Answers,
  heard: Heard,
): Promise<OfficialClient> {
  const { resourcesChanged } = heard;
  const client = new Client(
    { name: `official-v2-${mode}`, version: '1.0.0' },
    {
      versionNegotiation: { mode },
      capabilities: capabilitiesOf(answers),
      // In the modern era this opens a `subscriptions/listen` of its own.
      ...(resourcesChanged && {
        listChanged: { resources: { autoRefresh: false, onChanged: () => resourcesChanged() } },
      }),
    },
  );
  answer(client, answers);
  const { updated, log } = heard;
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated?.(params.uri));
  client.setNotificationHandler('notifications/message', ({ params }) =>
    log?.({ level: params.level, data: params.data, logger: params.logger }),
  );
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'pipe' }),
  );
  return connected(client);
}

function capabilitiesOf(answers: Answers): ClientCapabilities {
  return {
    ...(answers.sampling && { sampling: {} }),
    ...(answers.roots && { roots: { listChanged: true } }),
    ...(answers.elicitation && { elicitation: { form: {} } }),
  };
}

function answer(client: Client, { sampling, roots, elicitation }: Answers): void {
  if (sampling !== undefined) {
    client.setRequestHandler('sampling/createMessage', async ({ params }, ctx) => {
      const prompt = params.messages.map(({ content }) => textOf(content)).join('\n');
      const text = await sampling(prompt, ctx.mcpReq.signal);
      return { model: 'official-v2-model', role: 'assistant', content: { type: 'text', text } };
    });
  }
  if (roots !== undefined) client.setRequestHandler('roots/list', () => ({ roots: roots() }));
  if (elicitation !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const form = 'requestedSchema' in params ? params.requestedSchema : undefined;
      return elicitation(params.message, Object.keys(form?.properties ?? {}));
    });
  }
}

function connected(client: Client): OfficialClient {
  return {
    revision: client.getNegotiatedProtocolVersion() ?? '',
    serverName: client.getServerVersion()?.name,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    async call(name, args, { progress, signal, logLevel } = {}) {
      const meta = logLevel === undefined ? {} : { _meta: { 'io.modelcontextprotocol/logLevel': logLevel } };
      const result = await client.callTool(
        { name, arguments: args, ...meta },
        {
          ...(progress && { onprogress: (at) => progress(at.progress, at.total) }),
          ...(signal && { signal }),
        },
      );
      return {
        text: textOf(result.content),
        structured: result.structuredContent,
        isError: result.isError === true,
      };
    },
    read: async (uri) =>
      (await client.readResource({ uri })).contents as Awaited<ReturnType<OfficialClient['read']>>,
    async watch(uri) {
      if (client.getProtocolEra() === 'modern') {
        const subscription = await client.listen({ resourceSubscriptions: [uri] });
        return () => subscription.close();
      }
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
