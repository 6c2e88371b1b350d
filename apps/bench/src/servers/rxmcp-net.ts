import { fetchHandler } from 'rxmcp/http/fetch';
import { serveHttp } from 'rxmcp/http/node';
import { serveSse } from 'rxmcp/sse/node';
import { serveWebSocket } from 'rxmcp/websocket/node';
import type { NetTransport } from '../settings.js';
import { listen, type BenchServer, webServer } from './listen.js';
import { make } from './rxmcp.js';

/** Serves the tools with this project over the network, every era of the transport. */
export function serve(transport: NetTransport, tools: number): Promise<BenchServer> {
  const server = make(tools);
  switch (transport) {
    case 'http':
      // One caller may hold half of the sessions, and the bench is one caller.
      return serveHttp(server, { maxSessions: 25_000 });
    case 'fetch':
      return listen(webServer(fetchHandler(server)), 'http', '/mcp');
    case 'sse':
      return serveSse(server);
    case 'ws':
      return serveWebSocket(server);
  }
}
