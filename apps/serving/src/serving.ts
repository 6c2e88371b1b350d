import type { ConnectionHandler, DrainOptions, ServeHandle } from 'rxmcp/transport';
import { serveWith } from './custom-transport.js';
import type { Ports } from './ports.js';
import type { Tokens } from './tokens.js';

/** What serves clients until it is drained. */
export interface Serving {
  /** Where clients connect. */
  readonly urls: readonly string[];
  /** Resolves when the client on standard input and output has disconnected; undefined = none is served there. */
  readonly ended: Promise<void> | undefined;
  /** Accepts no more clients, and resolves once running work is done. */
  drain(options?: DrainOptions): Promise<void>;
}

/** Where clients are served, and who may call. */
export interface ServingOptions {
  /** Whether a client is served on standard input and output. */
  readonly stdio: boolean;
  readonly ports: Ports;
  /** A file whose export `serve` accepts clients too. */
  readonly listen?: string | undefined;
  /** Bearer tokens by name, for the ports; undefined = every process on this machine may connect. */
  readonly tokens?: Tokens | undefined;
  /** When an unused session of Streamable HTTP ends. @default that of `serveHttp` */
  readonly sessionIdleTimeoutMs?: number | undefined;
}

/** Serves everywhere that the options say. If one cannot listen, none does, and the error of the system is thrown. */
export async function openServing(handler: ConnectionHandler, options: ServingOptions): Promise<Serving> {
  const listeners: Listener[] = [];
  try {
    for await (const listener of listening(handler, options)) listeners.push(listener);
  } catch (error) {
    // They would keep the process alive.
    await Promise.all(listeners.map((listener) => listener.close()));
    throw error;
  }
  const pipe = options.stdio
    ? (await import('rxmcp/stdio')).serveStdio(handler, { exitOnDisconnect: false })
    : undefined;
  return {
    urls: listeners.map(({ url }) => url),
    ended: pipe?.closed,
    async drain(drainOptions) {
      await Promise.all(
        [...listeners, ...(pipe === undefined ? [] : [pipe])].map((one) => one.drain(drainOptions)),
      );
    },
  };
}

type Listener = ServeHandle & { readonly url: string };

/** Opens one listener after the other. Each transport is loaded when it is wanted. */
async function* listening(
  handler: ConnectionHandler,
  { ports: { http, sse, ws }, listen, tokens, sessionIdleTimeoutMs }: ServingOptions,
): AsyncGenerator<Listener> {
  const guarded =
    tokens === undefined ? {} : { authenticate: (await import('rxmcp/transport/guard')).bearer(tokens) };
  if (http !== undefined) {
    const sessions = sessionIdleTimeoutMs === undefined ? {} : { sessionIdleTimeoutMs };
    yield await (await import('rxmcp/http/node')).serveHttp(handler, { port: http, ...guarded, ...sessions });
  }
  if (sse !== undefined)
    yield await (await import('rxmcp/sse/node')).serveSse(handler, { port: sse, ...guarded });
  if (ws !== undefined)
    yield await (await import('rxmcp/websocket/node')).serveWebSocket(handler, { port: ws, ...guarded });
  if (listen === undefined) return;
  const custom = await serveWith('--listen', listen, handler);
  yield {
    url: custom.url ?? listen,
    drain: (options) => custom.drain(options),
    close: () => custom.close(),
  };
}
