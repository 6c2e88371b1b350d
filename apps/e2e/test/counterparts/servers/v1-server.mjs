// A server made with the official SDK v1, for our client to talk to.
import process from 'node:process';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

const mcp = new McpServer(
  { name: 'fixture-v1', version: '1.0.0' },
  { capabilities: { logging: {}, resources: { subscribe: true } }, instructions: 'For tests.' },
);
const { server } = mcp;
const say = (text) => ({ content: [{ type: 'text', text }] });
const ask = (text) => ({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });
const counter = 'fixture://counter';
const subscribed = new Set();
let count = 0;
let cancelled;
const wasCancelled = new Promise((resolve) => (cancelled = resolve));

mcp.registerTool('greet', { description: 'Greets', inputSchema: { name: z.string() } }, ({ name }) =>
  say(`Hello, ${name}!`),
);
mcp.registerTool(
  'add',
  { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } },
  ({ a, b }) => ({ ...say(String(a + b)), structuredContent: { sum: a + b } }),
);
mcp.registerTool('climb', { inputSchema: { steps: z.number() } }, async ({ steps }, extra) => {
  for (let step = 1; step <= steps; step += 1) {
    const { progressToken } = extra._meta ?? {};
    if (progressToken !== undefined) {
      const params = { progressToken, progress: step, total: steps, message: `step ${step}` };
      await extra.sendNotification({ method: 'notifications/progress', params });
    }
  }
  return say(`Climbed ${steps}.`);
});
mcp.registerTool('hang', {}, async ({ signal, _meta, sendNotification }) => {
  signal.addEventListener('abort', () => cancelled());
  const params = { progressToken: _meta.progressToken, progress: 1 };
  await sendNotification({ method: 'notifications/progress', params });
  await wasCancelled;
  return say('Never read.');
});
mcp.registerTool('was_cancelled', {}, async () => {
  await wasCancelled;
  return say('It was.');
});
mcp.registerTool('bump', {}, async () => {
  count += 1;
  if (subscribed.has(counter)) await server.sendResourceUpdated({ uri: counter });
  return say(String(count));
});
mcp.registerTool('subscriptions', {}, () => say(JSON.stringify([...subscribed])));
mcp.registerTool('grow', {}, () => {
  mcp.registerTool('grown', {}, () => say('I am new.'));
  return say('Grown.');
});
mcp.registerTool('ask_model', { inputSchema: { question: z.string() } }, async ({ question }, extra) => {
  const { model, content } = await server.createMessage(ask(question), { signal: extra.signal });
  return say(`${model}: ${content.text}`);
});
mcp.registerTool('ask_both', { inputSchema: { question: z.string() } }, async ({ question }) => {
  const [{ roots }, { content }] = await Promise.all([
    server.listRoots(),
    server.createMessage(ask(question)),
  ]);
  return say(JSON.stringify({ roots: roots.map(({ name }) => name), text: content.text }));
});
mcp.registerTool('ask_roots', {}, async () => say(JSON.stringify((await server.listRoots()).roots)));
mcp.registerTool('ask_form', {}, async () => {
  const { action, content } = await server.elicitInput({
    message: 'Which bird?',
    requestedSchema: {
      type: 'object',
      properties: { bird: { type: 'string', minLength: 1 }, big: { type: 'boolean' } },
      required: ['bird'],
    },
  });
  return say(JSON.stringify({ action, content }));
});
mcp.registerTool('log', { inputSchema: { text: z.string() } }, async ({ text }) => {
  for (const level of ['debug', 'warning']) {
    await mcp.sendLoggingMessage({ level, logger: 'fixture', data: { text } });
  }
  return say('Logged.');
});
mcp.registerResource('counter', counter, { mimeType: 'text/plain' }, ({ href }) => ({
  contents: [{ uri: href, mimeType: 'text/plain', text: String(count) }],
}));
mcp.registerResource('dots', 'fixture://dots', { mimeType: 'image/png' }, ({ href }) => ({
  contents: [{ uri: href, mimeType: 'image/png', blob: Buffer.from([0, 1, 255]).toString('base64') }],
}));
mcp.registerResource(
  'bird',
  new ResourceTemplate('fixture://birds/{name}', { list: undefined }),
  { mimeType: 'text/plain' },
  ({ href }, { name }) => ({ contents: [{ uri: href, text: `A ${name}.` }] }),
);
mcp.registerPrompt('describe', { argsSchema: { bird: z.string() } }, ({ bird }) => ({
  messages: [
    { role: 'user', content: { type: 'text', text: `Describe the ${bird}.` } },
    { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
  ],
}));
server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
  subscribed.add(params.uri);
  return {};
});
server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
  subscribed.delete(params.uri);
  return {};
});
server.setRequestHandler(
  z.object({ method: z.literal('fixture/echo'), params: z.looseObject({}) }),
  ({ params }) => ({
    echo: params.word,
  }),
);

process.stdin.once('end', () => void mcp.close());
await mcp.connect(new StdioServerTransport());
