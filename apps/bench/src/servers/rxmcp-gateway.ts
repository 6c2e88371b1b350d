import { offerRemote } from '@rxmcp/gateway';
import { defineServer } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import type { Link } from '../memory/run-calls.js';
import type { BenchEra } from '../requests.js';
import { benchClient, connected, make } from './rxmcp.js';

const servers = 10;

/** Connects a client with a gateway to ten servers, each with a tenth of the tools, all in memory. */
export async function connectThroughGateway(era: BenchEra, tools: number): Promise<Link> {
  const client = benchClient(era);
  const remotes = await Promise.all(
    Array.from({ length: servers }, () => {
      const link = memory();
      link.serve(make(tools / servers));
      return client.connect(link);
    }),
  );
  const offers = remotes.flatMap((remote, at) => offerRemote(remote, { prefix: `server${at}` }));
  const link = memory();
  link.serve(defineServer({ info: { name: 'gateway', version: '1.0.0' }, offers }));
  return connected(link, era, `server${servers - 1}-echo`);
}
