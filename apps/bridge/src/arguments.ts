import { parseArgs } from 'node:util';

/** A command line, read. */
export interface Invocation {
  readonly stdio: boolean;
  /** The port of each listener; 0 = a free one. */
  readonly ports: { readonly http?: number; readonly sse?: number; readonly ws?: number };
  readonly server: { readonly url: string } | { readonly command: string; readonly args: readonly string[] };
}

/** A command line that cannot be followed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `node apps/bridge/dist/main.js [--stdio] [--http PORT] [--sse PORT] [--ws PORT] (URL | -- COMMAND ARGS...)

Joins clients that come over the given transports with one server: at a URL (http, https, ws, wss), or a command that is
started for each client. Without a port it is --stdio. RXMCP_TOKENS='{"name":"token"}' says who may call over a network.`;

/** Reads a command line. Throws a UsageError. */
export function readArguments(args: readonly string[]): Invocation {
  const split = args.indexOf('--');
  const own = split === -1 ? args : args.slice(0, split);
  const command = split === -1 ? [] : args.slice(split + 1);
  const { values, positionals } = parsed(own);
  const [url, ...others] = positionals;
  if (others.length > 0) throw new UsageError('one URL, or "--" and one command');
  if ((url === undefined) === (command.length === 0)) throw new UsageError('a URL, or "--" and a command');
  const ports = {
    ...portOf('http', values.http),
    ...portOf('sse', values.sse),
    ...portOf('ws', values.ws),
  };
  return {
    stdio: values.stdio ?? Object.keys(ports).length === 0,
    ports,
    server: url === undefined ? { command: command[0] as string, args: command.slice(1) } : { url },
  };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { stdio: { type: 'boolean' }, http: text, sse: text, ws: text },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function portOf(name: string, text: string | undefined): Record<string, number> {
  if (text === undefined) return {};
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port >= 2 ** 16) throw new UsageError(`--${name} ${JSON.stringify(text)} is no port`);
  return { [name]: port };
}
