import type { Readable, Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Link } from '../memory/run-calls.js';
import type { BenchEra } from '../requests.js';
import { description, input as schema, toolNames } from '../tool-set.js';

/** Serves the tools with the official SDK v2, both eras. */
export function serve(input: Readable, output: Writable, tools: number): void {
  serveStdio(() => make(tools), { transport: new StdioServerTransport(input, output) });
}

/** Connects client and server of the official SDK v2 in memory; messages are handed over by reference. */
export async function connect(era: BenchEra, tools: number): Promise<Link> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode } });
  const [near, far] = InMemoryTransport.createLinkedPair();
  // The modern era is served by this entry only, over whatever transport it is given.
  if (era === 'modern') serveStdio(() => make(tools), { transport: far });
  else await make(tools).connect(far);
  await client.connect(near);
  return {
    async call(text) {
      const result = await client.callTool({ name: 'echo', arguments: { text } });
      const [block] = result.content;
      return block?.type === 'text' ? block.text : '';
    },
    count: async () => (await client.listTools()).tools.length,
  };
}

/** The server of the bench. */
export function make(tools: number): McpServer {
  const server = new McpServer({ name: 'v2', version: '1.0.0' });
  for (const name of toolNames(tools)) {
    server.registerTool(name, { description, inputSchema: schema }, async ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
  }
  return server;
}
