import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { listening, type Listening } from './listening.js';
import { counter } from './v1-desk.js';

/** What happened at the server. */
export interface V2Server extends Listening {
  readonly shared: { count: number; cancelled: number; regions: unknown[] };
}

const say = (text: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text }],
});
const question = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Who waits' } }],
  maxTokens: 100,
};

/** Serves with the official SDK v2: modern requests, and older ones without sessions. */
export async function v2Server(options: Parameters<typeof createMcpHandler>[1] = {}): Promise<V2Server> {
  const shared: V2Server['shared'] = { count: 0, cancelled: 0, regions: [] };
  const handler = createMcpHandler(() => desk(shared, () => handler.notify), options);
  const listener = getRequestListener((request) => handler.fetch(request), {
    overrideGlobalObjects: false,
  });
  const open = await listening(async (request, response, body) => {
    // The body was read to be recorded: it is put back for the handler.
    Object.assign(request, { rawBody: Buffer.from(body === undefined ? '' : JSON.stringify(body)) });
    await listener(request, response);
  });
  return { ...open, shared };
}

function desk(
  shared: V2Server['shared'],
  notify: () => ReturnType<typeof createMcpHandler>['notify'],
): McpServer {
  const mcp = new McpServer(
    { name: 'fixture-v2', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true, listChanged: true } } },
  );
  mcp.registerTool('greet', { inputSchema: z.object({ name: z.string() }) }, ({ name }) =>
    say(`Hello, ${name}!`),
  );
  mcp.registerPrompt('grüßen', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Grüß Gott!' } }],
  }));
  mcp.registerTool(
    'where',
    {
      inputSchema: z.object({
        region: z.string().meta({ 'x-mcp-header': 'Region' }),
        big: z.boolean().optional(),
      }),
    },
    ({ region }) => say(`In ${region}.`),
  );
  mcp.registerTool(
    'climb',
    { inputSchema: z.object({ steps: z.number() }) },
    async ({ steps }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (let step = 1; step <= steps && progressToken !== undefined; step += 1) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: step } });
      }
      return say(`Climbed ${String(steps)}.`);
    },
  );
  mcp.registerTool('wait', {}, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    await new Promise<void>((resolve) => {
      mcpReq.signal.addEventListener('abort', () => {
        shared.cancelled += 1;
        resolve();
      });
    });
    return say('Never read.');
  });
  mcp.registerTool('ask', {}, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.['model'] as { content: { text: string } } | undefined;
    if (answer !== undefined) return say(`The model says: ${answer.content.text}`);
    return inputRequired({ inputRequests: { model: inputRequired.createMessage(question) } });
  });
  mcp.registerTool('bump', {}, () => {
    shared.count += 1;
    notify().resourceUpdated(counter);
    return say(String(shared.count));
  });
  mcp.registerTool('grow', {}, () => {
    notify().toolsChanged();
    return say('Grown.');
  });
  mcp.registerResource('counter', counter, { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, text: String(shared.count) }],
  }));
  return mcp;
}
