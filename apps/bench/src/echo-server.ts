import { defineServer } from 'rxmcp';
import { serveStdio } from 'rxmcp/stdio';
import { offerTools, text, tool } from 'rxmcp/tools';
import * as z from 'zod';

const usage = 'usage: node echo-server.js stdio|http|sse|ws [PORT]';
const [transport] = process.argv.slice(2);

const echo = tool(
  'echo',
  { description: 'Says what it is told.', input: z.object({ text: z.string() }) },
  async (args) => text(args.text),
);
const server = defineServer({ info: { name: 'echo', version: '1.0.0' }, offers: [offerTools([echo])] });

switch (transport) {
  case 'stdio':
    serveStdio(server);
    break;
  case 'http':
  case 'sse':
  case 'ws':
    console.error(`echo-server: the transport "${transport}" is not built yet\n${usage}`);
    process.exitCode = 2;
    break;
  default:
    console.error(usage);
    process.exitCode = 2;
}
