import type { OptionTable, OptionValues } from '../command.js';
import { UsageError } from '../usage-error.js';

/** Options of the commands that serve. */
export const listenOptions = {
  http: { value: 'PORT', help: 'Serves Streamable HTTP at http://127.0.0.1:PORT/mcp; 0 is a free port.' },
  sse: { value: 'PORT', help: 'Serves HTTP+SSE at http://127.0.0.1:PORT/sse.' },
  ws: { value: 'PORT', help: 'Serves WebSockets at ws://127.0.0.1:PORT/mcp.' },
} as const satisfies OptionTable;

/** What is said of {@link listenOptions} in the help. */
export const listenDetails =
  'Without a port it serves one client on standard input and output. RXMCP_TOKENS=\'{"name":"token"}\' says who may call at a port.';

/** Where is served; none = standard input and output. */
export type Ports = Readonly<Partial<Record<keyof typeof listenOptions, number>>>;

/** Reads the ports. Throws a UsageError. */
export function portsOf(values: OptionValues<typeof listenOptions>): Ports {
  return Object.fromEntries(
    Object.keys(listenOptions).flatMap((name) => {
      const text = values[name as keyof Ports];
      if (text === undefined) return [];
      const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
      if (port < 2 ** 16) return [[name, port]];
      throw new UsageError(`--${name} ${JSON.stringify(text)} must be a port from 0 to 65535`);
    }),
  );
}
