import { serveHttp } from 'rxmcp/http/node';
import { serveSse } from 'rxmcp/sse/node';
import type { ConnectionHandler, ServeHandle } from 'rxmcp/transport';
import { bearer } from 'rxmcp/transport/guard';
import { serveWebSocket } from 'rxmcp/websocket/node';
import type { Invocation } from './arguments.js';
import { serveWith } from './custom-transport.js';

/** A transport that listens at a port, or a custom one. */
export type Listener = ServeHandle & { readonly url: string };

/** An idle session holds a process if the server is a command. */
const processIdleMs = 10 * 60_000;

/** Listens at each port. Rejects with the system's error if one is taken; then none listens. */
export async function openListeners(
  links: ConnectionHandler,
  { ports, listen, server, tokens }: Pick<Invocation, 'ports' | 'listen' | 'server' | 'tokens'>,
): Promise<readonly Listener[]> {
  const { http, sse, ws } = ports;
  const guarded = tokens === undefined ? {} : { authenticate: bearer(tokens) };
  const sessions = 'command' in server ? { sessionIdleTimeoutMs: processIdleMs } : {};
  const listening: Listener[] = [];
  try {
    if (http !== undefined) listening.push(await serveHttp(links, { port: http, ...guarded, ...sessions }));
    if (sse !== undefined) listening.push(await serveSse(links, { port: sse, ...guarded }));
    if (ws !== undefined) listening.push(await serveWebSocket(links, { port: ws, ...guarded }));
    if (listen !== undefined) {
      const custom = await serveWith(listen, links);
      listening.push({
        url: custom.url ?? listen,
        drain: (options) => custom.drain(options),
        close: () => custom.close(),
      });
    }
    return listening;
  } catch (error) {
    // If one cannot listen, the others are closed: they would keep the process alive.
    await Promise.all(listening.map((each) => each.close()));
    throw error;
  }
}
