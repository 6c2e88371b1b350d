import type { Readable, Writable } from 'node:stream';
import { bridge, type Client, defineClient, defineServer, once, type Server } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { serveStdio } from 'rxmcp/stdio';
import { offerTools, text, tool, tools as toolsOf } from 'rxmcp/tools';
import type { MemoryBudget, Transport } from 'rxmcp/transport';
import type { Link } from '../memory/run-calls.js';
import type { BenchEra } from '../requests.js';
import { description, input as schema, toolNames } from '../tool-set.js';

/** Serves the tools with this project, both eras. */
export function serve(input: Readable, output: Writable, tools: number): void {
  const standard = input === process.stdin;
  serveStdio(make(tools), standard ? {} : { input, output });
}

/** Connects client and server of this project in memory; messages are copied. */
export async function connect(era: BenchEra, tools: number): Promise<Link> {
  const link = memory();
  link.serve(make(tools));
  return connected(link, era);
}

/** The same with a bridge between, in memory on both of its sides. */
export async function connectBridged(era: BenchEra, tools: number): Promise<Link> {
  const [clientLink, serverLink] = [memory(), memory()];
  serverLink.serve(make(tools));
  clientLink.serve(bridge(serverLink));
  return connected(clientLink, era);
}

/** A client of a server, whose tool `echo` may have another name. */
export async function connected(link: Transport, era: BenchEra, name = 'echo'): Promise<Link> {
  const remote = await benchClient(era).connect(link);
  return {
    async call(words) {
      const result = await once(toolsOf(remote).call(name, { text: words }));
      const [block] = result.content;
      return block?.type === 'text' ? block.text : '';
    },
    count: async () => (await once(toolsOf(remote).list())).length,
  };
}

/** The client of the bench. */
export function benchClient(era: BenchEra): Client {
  return defineClient({ info: { name: 'bench', version: '1.0.0' }, eras: [era] });
}

/** The server of the bench. */
export function make(count: number, memory?: MemoryBudget): Server {
  const offered = toolNames(count).map((name) =>
    tool(name, { description, input: schema }, async (args) => text(args.text)),
  );
  const info = { name: 'rxmcp', version: '1.0.0' };
  return defineServer({ info, offers: [offerTools(offered)], ...(memory && { memory }) });
}
