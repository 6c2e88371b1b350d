// A server made with the official SDK v2, for our client to talk to; it serves both eras.
import { acceptedContent, inputRequired, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const say = (text) => ({ content: [{ type: 'text', text }] });
const ask = (text) => ({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });
const counter = 'fixture://counter';

function make({ era }) {
  const mcp = new McpServer(
    { name: 'fixture-v2', version: '1.0.0' },
    {
      capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
      instructions: 'For tests.',
    },
  );
  const { server } = mcp;
  const subscribed = new Set();
  let count = 0;
  let cancelled;
  const wasCancelled = new Promise((resolve) => (cancelled = resolve));

  mcp.registerTool(
    'greet',
    { description: 'Greets', inputSchema: z.object({ name: z.string() }) },
    ({ name }) => say(`Hello, ${name}!`),
  );
  mcp.registerTool(
    'add',
    { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) },
    ({ a, b }) => ({ ...say(String(a + b)), structuredContent: { sum: a + b } }),
  );
  mcp.registerTool(
    'climb',
    { inputSchema: z.object({ steps: z.number() }) },
    async ({ steps }, { mcpReq }) => {
      for (let step = 1; step <= steps; step += 1) await progress(mcpReq, step, steps);
      return say(`Climbed ${steps}.`);
    },
  );
  mcp.registerTool('hang', {}, async ({ mcpReq }) => {
    mcpReq.signal.addEventListener('abort', () => cancelled());
    await progress(mcpReq, 1);
    await wasCancelled;
    return say('Never read.');
  });
  mcp.registerTool('was_cancelled', {}, async () => {
    await wasCancelled;
    return say('It was.');
  });
  mcp.registerTool('bump', {}, async () => {
    count += 1;
    // In the modern era the SDK knows who listens.
    if (era === 'modern' || subscribed.has(counter)) await server.sendResourceUpdated({ uri: counter });
    return say(String(count));
  });
  mcp.registerTool('subscriptions', {}, () => say(JSON.stringify([...subscribed])));
  mcp.registerTool('grow', {}, () => {
    mcp.registerTool('grown', {}, () => say('I am new.'));
    return say('Grown.');
  });
  mcp.registerTool(
    'ask_model',
    { inputSchema: z.object({ question: z.string() }) },
    ({ question }, { mcpReq }) => {
      const answer = mcpReq.inputResponses?.model;
      if (answer !== undefined) return say(`${answer.model}: ${answer.content.text}`);
      return inputRequired({ inputRequests: { model: inputRequired.createMessage(ask(question)) } });
    },
  );
  mcp.registerTool(
    'ask_both',
    { inputSchema: z.object({ question: z.string() }) },
    ({ question }, { mcpReq }) => {
      const { list, model } = mcpReq.inputResponses ?? {};
      if (list !== undefined && model !== undefined) {
        return say(JSON.stringify({ roots: list.roots.map(({ name }) => name), text: model.content.text }));
      }
      return inputRequired({
        inputRequests: { list: inputRequired.listRoots(), model: inputRequired.createMessage(ask(question)) },
      });
    },
  );
  mcp.registerTool('ask_roots', {}, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.roots;
    if (answer !== undefined) return say(JSON.stringify(answer.roots));
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
  });
  mcp.registerTool('ask_form', {}, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.form;
    if (answer !== undefined) {
      if (mcpReq.requestState() !== 'asked-1') throw new Error('the state did not come back as it was');
      const content = acceptedContent(mcpReq.inputResponses, 'form');
      return say(JSON.stringify({ action: answer.action, content }));
    }
    const requestedSchema = z.object({ bird: z.string().min(1), big: z.boolean().optional() });
    return inputRequired({
      inputRequests: { form: inputRequired.elicit({ message: 'Which bird?', requestedSchema }) },
      requestState: 'asked-1',
    });
  });
  mcp.registerTool('log', { inputSchema: z.object({ text: z.string() }) }, async ({ text }, { mcpReq }) => {
    for (const level of ['debug', 'warning']) await mcpReq.log(level, { text }, 'fixture');
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
  mcp.registerPrompt('describe', { argsSchema: z.object({ bird: z.string() }) }, ({ bird }) => ({
    messages: [
      { role: 'user', content: { type: 'text', text: `Describe the ${bird}.` } },
      { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
    ],
  }));
  if (era === 'legacy') {
    server.setRequestHandler('resources/subscribe', ({ params }) => {
      subscribed.add(params.uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      subscribed.delete(params.uri);
      return {};
    });
  }
  server.setRequestHandler('fixture/echo', { params: z.looseObject({ word: z.string() }) }, ({ word }) => ({
    echo: word,
  }));
  return mcp;
}

async function progress({ _meta, notify }, step, total) {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return;
  const params = { progressToken, progress: step, message: `step ${step}`, ...(total && { total }) };
  await notify({ method: 'notifications/progress', params });
}

serveStdio(make, { onerror: (error) => console.error(error) });
