import { parseArgs } from 'node:util';
import { headersOf, type Table, tokensOf } from './secrets.js';
import { UsageError } from './usage.js';

/** A command line and its environment, read. */
export interface Invocation {
  readonly stdio: boolean;
  /** The port of each listener; 0 = a free one. */
  readonly ports: { readonly http?: number; readonly sse?: number; readonly ws?: number };
  readonly server: ServerPlace;
  /** How many clients are served at a time. */
  readonly maxClients: number;
  /** Who may call over a network, by name; undefined = everybody on this machine. */
  readonly tokens: Table | undefined;
}

/** Where the server is. */
export type ServerPlace =
  | { readonly url: string; readonly headers: Table }
  | { readonly command: string; readonly args: readonly string[] };

/** Each of them has a process of its own behind a command. */
const maxProcesses = 64;

/** Reads the command line, `RXMCP_HEADERS` and `RXMCP_TOKENS`. Throws a UsageError. */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): Invocation {
  const split = args.indexOf('--');
  const own = split === -1 ? args : args.slice(0, split);
  const command = split === -1 ? [] : args.slice(split + 1);
  const { values, positionals } = parsed(own);
  const [url, ...others] = positionals;
  if (others.length > 0) throw new UsageError('one URL, or "--" and one command');
  if ((url === undefined) === (command.length === 0)) throw new UsageError('a URL, or "--" and a command');
  const headers = headersOf(env['RXMCP_HEADERS'], values.header ?? []);
  if (url === undefined && Object.keys(headers).length > 0)
    throw new UsageError('--header and RXMCP_HEADERS are for a server with a URL');
  const ports = {
    ...portOf('http', values.http),
    ...portOf('sse', values.sse),
    ...portOf('ws', values.ws),
  };
  return {
    stdio: values.stdio ?? Object.keys(ports).length === 0,
    ports,
    server: url === undefined ? { command: command[0] as string, args: command.slice(1) } : { url, headers },
    maxClients: countOf(values['max-clients']) ?? (url === undefined ? maxProcesses : Infinity),
    tokens: tokensOf(env['RXMCP_TOKENS']),
  };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        stdio: { type: 'boolean' },
        http: text,
        sse: text,
        ws: text,
        'max-clients': text,
        header: { type: 'string', multiple: true },
      },
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

function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--max-clients ${JSON.stringify(text)} is no number from 1 to 999999`);
}
