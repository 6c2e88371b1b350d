import { alikeServerOptions, rejectUnknownOptions } from '@rxmcp/transport/internal';
import type { ConnectionHandler, ServeHandle } from '@rxmcp/transport';
import { listen, type ListenOptions, type ProtectOptions } from '@rxmcp/transport/node';
import { knownListenOptions, protect } from '@rxmcp/transport/node/internal';
import { knownHandlerOptions, type SseHandlerOptions } from './options.js';
import { createSseHandlers } from './sse-handlers.js';

/** Options of {@link serveSse}. */
export interface ServeSseOptions extends SseHandlerOptions, ListenOptions, ProtectOptions {}

/** What {@link serveSse} gives. */
export interface SseServeHandle extends ServeHandle {
  /** Where clients find the stream. */
  readonly url: string;
}

/**
 * Listens and serves HTTP+SSE to any number of clients, or adds it to an existing `server`. Rejects with the system's error where the
 * port is in use, and with a TypeError for an address that other machines can reach, without `authenticate` or `dangerouslyOpen`. MCP 2024-11-05, basic, transports, HTTP with SSE.
 */
export async function serveSse(
  handler: ConnectionHandler,
  options: ServeSseOptions = {},
): Promise<SseServeHandle> {
  rejectUnknownOptions(
    'serveSse',
    options,
    { ...knownHandlerOptions, ...knownListenOptions, auth: true },
    alikeServerOptions,
  );
  const protection = protect('serveSse', options);
  const handlers = createSseHandlers(handler, protection.options);
  const listening = await listen(protection.options);
  const url = listening.url('http', options.path ?? '/sse');
  await protection.begin(url, listening);
  const endRoute = listening.route(
    (request, response) => protection.metadata(request, response) || handlers.handle(request, response),
  );
  const stop = async (): Promise<void> => {
    endRoute();
    await listening.stop();
  };
  return {
    url,
    // Clients answer what running work asks over requests of their own, so the listener goes last.
    async drain(drainOptions) {
      await handlers.drain(drainOptions);
      await stop();
    },
    async close() {
      await handlers.close();
      await stop();
    },
  };
}
