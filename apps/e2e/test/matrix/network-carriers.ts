import type { Server } from 'rxmcp';
import { http } from 'rxmcp/http';
import { serveHttp } from 'rxmcp/http/node';
import { sse } from 'rxmcp/sse';
import { serveSse } from 'rxmcp/sse/node';
import { webSocket } from 'rxmcp/websocket';
import { serveWebSocket } from 'rxmcp/websocket/node';
import type { ServeHandle, Traits, Transport } from '@rxmcp/transport';
import { pipeTraits } from '@rxmcp/transport';
import type { Carrier } from './carrier.js';
import { inProcess } from './in-process.js';

const maxMessageBytes = 4 * 1024 * 1024;

/** The transports of a network, each on a port that the system chose. HTTP alone has headers, which depend on the revision. */
export const networkCarriers: readonly Carrier[] = [
  listening('http', { lanes: 'per-request', carriesHeaders: true, maxMessageBytes }, http, serveHttp),
  listening(
    'sse',
    { versions: ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'], maxMessageBytes },
    sse,
    serveSse,
  ),
  listening('websocket', { maxMessageBytes }, webSocket, serveWebSocket),
];

type Serve = (server: Server, options: { port: number }) => Promise<ServeHandle & { readonly url: string }>;

function listening(
  name: string,
  traits: Partial<Traits>,
  dialling: (url: string) => Transport,
  serve: Serve,
): Carrier {
  return {
    name,
    traits: { ...pipeTraits, ...traits },
    serve: (server, options) =>
      inProcess(server, options, async (description) => {
        const serving = await serve(description, { port: 0 });
        return { transport: dialling(serving.url), serving };
      }),
  };
}
