import { createServer } from 'node:http';
import type { Contestant, NetTransport } from '../settings.js';
import type { BenchEra } from '../requests.js';
import { toolEntries } from '../tool-set.js';
import { type BenchServer, listen } from './listen.js';

/** What a contestant serves. */
interface NetTask {
  readonly contestant: Contestant;
  readonly transport: NetTransport;
  readonly tools: number;
  /** What it is asked in: an official SDK gets the server that is made for it. */
  readonly era: BenchEra;
}

/** Serves a contestant on a free port of this machine; only its own code is loaded. */
export async function serveNet({ contestant, transport, tools, era }: NetTask): Promise<BenchServer> {
  switch (contestant) {
    case 'floor':
      return serveFloor(transport, toolEntries(tools));
    case 'v1':
      if (transport === 'http') return listen((await import('./v1-net.js')).http(tools), 'http', '/mcp');
      if (transport === 'sse') return listen((await import('./v1-net.js')).sse(tools), 'http', '/sse');
      break;
    case 'v2':
      if (transport === 'http' || transport === 'fetch')
        return listen((await import('./v2-net.js')).http(era, tools), 'http', '/mcp');
      break;
    case 'rxmcp':
      return (await import('./rxmcp-net.js')).serve(transport, tools);
  }
  throw new Error(`${contestant} does not serve ${transport}`);
}

async function serveFloor(transport: NetTransport, tools: readonly object[]): Promise<BenchServer> {
  switch (transport) {
    case 'http':
    case 'fetch':
      return listen((await import('./floor-http.js')).serve(tools), 'http', '/mcp');
    case 'sse':
      return listen((await import('./floor-sse.js')).serve(tools), 'http', '/sse');
    case 'ws': {
      const server = createServer();
      (await import('./floor-ws.js')).serve(server, tools);
      return listen(server, 'ws', '/mcp');
    }
  }
}
