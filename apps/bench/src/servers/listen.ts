import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';

/** A contestant that listens. */
export interface BenchServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function listen(server: Server, scheme: 'http' | 'ws', path: string): Promise<BenchServer> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}${path}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A server for a handler of web requests, behind the adapter that the official SDKs use. */
export function webServer(handler: (request: Request) => Promise<Response>): Server {
  return createServer(getRequestListener(handler) as RequestListener);
}
