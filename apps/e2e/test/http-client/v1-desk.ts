import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CreateMessageResultSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

export const counter = 'fixture://counter';

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const question = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Who waits' } }],
  maxTokens: 100,
};

/** What the sessions of one server share. */
export interface Shared {
  count: number;
  cancelled: number;
  /** Resolves what a `wait` tool waits for. */
  release: () => void;
}

/** A server made with the official SDK v1; one per session. */
export function v1Desk(shared: Shared): McpServer {
  const mcp = new McpServer(
    { name: 'fixture-v1', version: '1.0.0' },
    { capabilities: { logging: {}, resources: { subscribe: true } } },
  );
  const { server } = mcp;
  const subscribed = new Set<string>();

  mcp.registerTool('greet', { inputSchema: { name: z.string() } }, ({ name }) => say(`Hello, ${name}!`));
  mcp.registerTool('climb', { inputSchema: { steps: z.number() } }, async ({ steps }, extra) => {
    for (let step = 1; step <= steps; step += 1) {
      const { progressToken } = extra._meta ?? {};
      if (progressToken === undefined) continue;
      const params = { progressToken, progress: step, total: steps };
      await extra.sendNotification({ method: 'notifications/progress', params });
    }
    return say(`Climbed ${String(steps)}.`);
  });
  // Sends a message, closes the stream of the call on request, and continues when it is released.
  mcp.registerTool('wait', { inputSchema: { poll: z.boolean().optional() } }, async ({ poll }, extra) => {
    const { progressToken } = extra._meta ?? {};
    const tell = async (progress: number): Promise<void> => {
      if (progressToken === undefined) return;
      await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
    };
    const released = new Promise<void>((resolve) => (shared.release = resolve));
    extra.signal.addEventListener('abort', () => (shared.cancelled += 1));
    await tell(1);
    if (poll === true) extra.closeSSEStream?.();
    await released;
    await tell(2);
    return say('Waited.');
  });
  mcp.registerTool('ask', {}, async (extra) => {
    const request = { method: 'sampling/createMessage' as const, params: question };
    const { content } = await extra.sendRequest(request, CreateMessageResultSchema);
    return say(`The model says: ${Array.isArray(content) || content.type !== 'text' ? '' : content.text}`);
  });
  mcp.registerTool('bump', {}, async () => {
    shared.count += 1;
    if (subscribed.has(counter)) await server.sendResourceUpdated({ uri: counter });
    return say(String(shared.count));
  });
  mcp.registerTool('grow', {}, () => {
    mcp.registerTool('grown', {}, () => say('I am new.'));
    return say('Grown.');
  });
  mcp.registerResource('counter', counter, { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, text: String(shared.count) }],
  }));
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  return mcp;
}
