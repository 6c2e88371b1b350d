import { defineServer } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import { serveSse } from 'rxmcp/sse/node';
import { serveStdio } from 'rxmcp/stdio';
import { offerTools, text, tool } from 'rxmcp/tools';
import { serveWebSocket } from 'rxmcp/websocket/node';
import * as z from 'zod';

const usage = 'usage: node echo-server.js stdio|http|sse|ws [PORT]';
const [transport = '', argument = '0', ...rest] = process.argv.slice(2);
const port = Number(argument);

const echo = tool(
  'echo',
  { description: 'Returns its text.', input: z.object({ text: z.string() }) },
  async (args) => text(args.text),
);
const server = defineServer({ info: { name: 'echo', version: '1.0.0' }, offers: [offerTools([echo])] });
const listeners = {
  http: () => serveHttp(server, { port }),
  sse: () => serveSse(server, { port }),
  ws: () => serveWebSocket(server, { port }),
};

if (rest.length > 0 || !/^\d{1,5}$/.test(argument) || port > 65_535) {
  wrong();
} else if (transport === 'stdio') {
  serveStdio(server);
} else if (isListener(transport)) {
  const handle = await listeners[transport]();
  console.error(`listening ${handle.url}`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void handle.drain());
} else {
  wrong();
}

function isListener(name: string): name is keyof typeof listeners {
  return Object.hasOwn(listeners, name);
}

function wrong(): void {
  console.error(usage);
  process.exitCode = 2;
}
