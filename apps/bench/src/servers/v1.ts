import type { Readable, Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Link } from '../memory/run-calls.js';
import { description, input as schema, toolNames } from '../tool-set.js';

/** Serves the tools with the official SDK v1. */
export async function serve(input: Readable, output: Writable, tools: number): Promise<void> {
  await make(tools).connect(new StdioServerTransport(input, output));
}

/** Connects client and server of the official SDK v1 in memory; messages are handed over by reference. */
export async function connect(tools: number): Promise<Link> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await make(tools).connect(far);
  await client.connect(near);
  return {
    async call(text) {
      const result = await client.callTool({ name: 'echo', arguments: { text } });
      return (result.content as [{ text: string }])[0].text;
    },
    count: async () => (await client.listTools()).tools.length,
  };
}

/** The server of the bench. */
export function make(tools: number): McpServer {
  const server = new McpServer({ name: 'v1', version: '1.0.0' });
  for (const name of toolNames(tools)) {
    server.registerTool(name, { description, inputSchema: schema.shape }, async ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
  }
  return server;
}
