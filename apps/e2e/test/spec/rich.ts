import type { Ask } from '@rxmcp/core/internal';
import { sendAsk, defineOffer } from '@rxmcp/core/internal';
import type { Icon, JsonObject, Offer } from 'rxmcp';

const icons: readonly Icon[] = [
  { src: 'https://a.example/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' },
];
const _meta = { 'a.example/x': 1 };
const annotations = { audience: ['user'], priority: 1, lastModified: '2026-01-01T00:00:00Z' };
const shown = { title: 'Title', icons, _meta };

/** What a server or client says of itself, with all that any revision knows. */
export const info = {
  name: 'rich',
  version: '1',
  title: 'Rich',
  icons,
  description: 'all of it',
  websiteUrl: 'https://a.example',
};

const tool = {
  name: 't',
  ...shown,
  description: 'd',
  inputSchema: { type: 'object', properties: { any: true, text: { type: 'string' } }, required: ['text'] },
  outputSchema: { type: 'array', items: { type: 'number' } },
  annotations: { title: 'Hint', readOnlyHint: true },
  execution: { taskSupport: 'forbidden' },
};
const resource = { uri: 'a:b', name: 'r', mimeType: 'text/plain', size: 1, annotations, ...shown };
const contents = { uri: 'a:b', mimeType: 'text/plain', text: 'x', _meta };
const content = [
  { type: 'text', text: 'hello', annotations, _meta },
  { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations, _meta },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations, _meta },
  { type: 'resource', resource: contents, annotations, _meta },
  { type: 'resource_link', ...resource },
];
const prompt = {
  name: 'p',
  ...shown,
  description: 'd',
  arguments: [{ name: 'a', title: 'A', required: false }],
};

/** Questions with all that any revision knows; the name is the tool that asks it. */
export const questions: Readonly<Record<string, Ask>> = {
  form: {
    method: 'elicitation/create',
    needs: { elicitation: {} },
    params: {
      mode: 'form',
      message: 'm',
      requestedSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          text: { type: 'string', format: 'email', default: 'a@b.example' },
          count: { type: 'integer', minimum: 1, default: 2 },
          sure: { type: 'boolean', default: true },
          one: { type: 'string', oneOf: [{ const: 'a', title: 'A' }], default: 'a' },
          some: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, default: ['a'] },
        },
        required: ['text'],
      },
    },
  },
  page: {
    method: 'elicitation/create',
    needs: { elicitation: {} },
    params: { mode: 'url', message: 'm', url: 'https://a.example/pay' },
  },
  model: {
    method: 'sampling/createMessage',
    needs: { sampling: {} },
    params: {
      maxTokens: 1,
      messages: [{ role: 'user', content: [content[0], content[1]], _meta }],
    },
  },
  folders: { method: 'roots/list', needs: { roots: {} } },
};

/** Everything that a server can offer, with all that any revision knows. */
export const server: readonly Offer[] = [
  offer(
    'server',
    { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
    {
      'tools/list': () => ({ tools: [tool], _meta }),
      'tools/call': async ({ name }, ctx) => {
        const ask = questions[name as string];
        if (ask !== undefined) await sendAsk(ctx as Parameters<typeof sendAsk>[0], name as string, ask);
        return { content, structuredContent: [1, 2], _meta };
      },
      'resources/list': () => ({ resources: [resource] }),
      'resources/templates/list': () => {
        const { uri: _uri, size: _size, ...rest } = resource;
        return { resourceTemplates: [{ ...rest, uriTemplate: 'a:{b}' }] };
      },
      'resources/read': () => ({ contents: [contents] }),
      'prompts/list': () => ({ prompts: [prompt] }),
      'prompts/get': () => ({ messages: content.map((block) => ({ role: 'user', content: block })) }),
      'completion/complete': () => ({ completion: { values: ['a'], total: 1, hasMore: false } }),
    },
  ),
];

/** Everything that a client can offer. */
export const client: readonly Offer[] = [
  offer(
    'client',
    { roots: {}, sampling: { tools: {} }, elicitation: { form: {}, url: {} } },
    {
      'roots/list': () => ({ roots: [{ uri: 'file:///a', name: 'a', _meta }] }),
      'sampling/createMessage': () => ({
        role: 'assistant',
        model: 'm',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }),
      'elicitation/create': ({ mode }) =>
        mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { text: 'a@b.example' } },
    },
  ),
];

function offer(
  side: 'server' | 'client',
  capabilities: JsonObject,
  methods: Readonly<Record<string, (params: JsonObject, ctx: unknown) => JsonObject | Promise<JsonObject>>>,
): Offer {
  return defineOffer({
    name: 'all',
    side,
    capabilities,
    methods: Object.entries(methods).map(([method, handle]) => ({ method, handle })),
  });
}
