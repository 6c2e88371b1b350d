import { portsOf } from '@rxmcp/app-serving/ports';
import type { ServingOptions } from '@rxmcp/app-serving/serving';
import { tokensOf } from '@rxmcp/app-serving/tokens';
import type { OptionTable, OptionValues } from '../command.js';

/** Options of the commands that serve another server. */
export const listenOptions = {
  stdio: { help: 'Serves one client on standard input and output: the default without a port.' },
  http: { value: 'PORT', help: 'Serves Streamable HTTP at http://127.0.0.1:PORT/mcp; 0 is a free port.' },
  sse: { value: 'PORT', help: 'Serves HTTP+SSE at http://127.0.0.1:PORT/sse.' },
  ws: { value: 'PORT', help: 'Serves WebSockets at ws://127.0.0.1:PORT/mcp.' },
  listen: {
    value: 'FILE',
    help: 'Serves with the export "serve" of a module, a function that takes a connection handler.',
  },
} as const satisfies OptionTable;

/** What is said of {@link listenOptions} in the help. */
export const listenDetails = 'RXMCP_TOKENS=\'{"name":"token"}\' says who may call at a port.';

/** Reads where is served. Throws a UsageError. */
export function servingOptions(
  values: OptionValues<typeof listenOptions>,
  { RXMCP_TOKENS }: NodeJS.ProcessEnv,
): ServingOptions {
  const ports = portsOf(values);
  const { listen } = values;
  const isAlone = Object.keys(ports).length === 0 && listen === undefined;
  return { stdio: values.stdio ?? isAlone, ports, listen, tokens: tokensOf(RXMCP_TOKENS) };
}
