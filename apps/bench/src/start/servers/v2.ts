import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'start', version: '1.0.0' });
  const options = { description: 'Returns its text.', inputSchema: z.object({ text: z.string() }) };
  server.registerTool('echo', options, ({ text }) => ({ content: [{ type: 'text', text }] }));
  return server;
});
