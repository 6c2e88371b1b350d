import type { Contestant } from '../settings.js';
import { type BenchEra, modernMeta } from '../requests.js';
import type { Link } from './run-calls.js';

/** Connects client and server of a contestant in this process; only its own code is loaded. */
export async function connectContestant(contestant: Contestant, era: BenchEra, tools: number): Promise<Link> {
  switch (contestant) {
    case 'floor': {
      const { connect } = await import('../servers/floor-memory.js');
      const call = connect(era === 'modern' ? modernMeta : undefined);
      return { call, count: () => Promise.resolve(tools) };
    }
    case 'v1':
      return (await import('../servers/v1.js')).connect(tools);
    case 'v2':
      return (await import('../servers/v2.js')).connect(era, tools);
    case 'rxmcp':
      return (await import('../servers/rxmcp.js')).connect(era, tools);
    case 'bridge':
      return (await import('../servers/rxmcp.js')).connectBridged(era, tools);
    case 'gateway':
      return (await import('../servers/rxmcp-gateway.js')).connectThroughGateway(era, tools);
    default:
      throw new Error(`"${contestant}" is not measured in memory`);
  }
}
