import { infoOptions, moduleOption, optionLines, placeOptions } from '@rxmcp/app-serving/options';
import { type Ports, portsOf } from '@rxmcp/app-serving/ports';
import { readOptions } from '@rxmcp/app-serving/read-options';
import { tokensOf } from '@rxmcp/app-serving/tokens';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { maxClientsOf } from './bridge.js';
import { version } from './version.js';

/** A command line and its environment, read. */
export interface Invocation {
  readonly stdio: boolean;
  /** The port of each listener; 0 = a free one. */
  readonly ports: Ports;
  /** A file whose export `serve` accepts clients. */
  readonly listen?: string | undefined;
  readonly server: ServerTarget;
  /** How many clients are served at a time; undefined = the default. */
  readonly maxClients: number | undefined;
  /** The bearer tokens of network clients, by name; undefined = every process on this machine may connect. */
  readonly tokens: StringMap | undefined;
}

/** Where the server is. */
export type ServerTarget =
  | { readonly url: string; readonly headers: StringMap }
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly file: string };

/** Returns what the command line asks to print instead of serving. What follows `--` belongs to the server. */
export function textToPrint(args: readonly string[]): string | undefined {
  const split = args.indexOf('--');
  const own = split === -1 ? args : args.slice(0, split);
  if (own.includes('--help') || own.includes('-h')) return usage;
  return own.includes('--version') ? version : undefined;
}

/** Reads the command line, `RXMCP_HEADERS` and `RXMCP_TOKENS`. Throws a UsageError. */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): Invocation {
  const split = args.indexOf('--');
  const own = split === -1 ? args : args.slice(0, split);
  const command = split === -1 ? [] : args.slice(split + 1);
  const { values, positionals } = readOptions('the bridge', own, options);
  const [url, ...others] = positionals;
  const { transport: file, listen } = values;
  if (others.length > 0)
    throw new UsageError('too many arguments: pass one URL, or "--" and one command', true);
  if ([url, command[0], file].filter((given) => given !== undefined).length !== 1)
    throw new UsageError('pass one of a URL, "--" and a command, or --transport FILE', true);
  const headers = parseHeaders(env['RXMCP_HEADERS'], values.header ?? []);
  if (url === undefined && Object.keys(headers).length > 0)
    throw new UsageError('--header and RXMCP_HEADERS are for a server with a URL');
  const ports = portsOf(values);
  return {
    stdio: values.stdio ?? (Object.keys(ports).length === 0 && listen === undefined),
    ports,
    listen,
    server:
      file !== undefined
        ? { file }
        : url === undefined
          ? { command: command[0] as string, args: command.slice(1) }
          : { url, headers },
    maxClients: maxClientsOf(values['max-clients']),
    tokens: tokensOf(env['RXMCP_TOKENS']),
  };
}

const options = {
  ...placeOptions,
  listen: moduleOption,
  transport: {
    value: 'FILE',
    help: 'Reaches the server with the default export of a module: a transport, or a function that returns one.',
  },
  'max-clients': {
    value: 'N',
    help: 'How many clients are served at a time. Default 64 for a command, any number for other servers.',
  },
  header: { value: 'NAME:VALUE', repeats: true, help: 'Sent with every request to a URL.' },
} as const;

const usage = `usage: main.js [options] URL
       main.js [options] --transport FILE
       main.js [options] -- COMMAND ARGS...

Joins clients that come over the given transports with one server: at a URL (http, https, ws, wss), or a command that is
started for each client.

RXMCP_TOKENS='{"name":"token"}' says who may call over a network, RXMCP_HEADERS='{"name":"value"}' what is sent to a URL.

${optionLines({ ...options, ...infoOptions })}`;

/** Texts by their names. */
type StringMap = Readonly<Record<string, string>>;

// `Headers` accepts control characters, but no request with them can be sent.
const nameForm = /^[\w!#$%&'*+.^`|~-]+$/;
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Reads the headers of `RXMCP_HEADERS` and `--header`; for the same name, compared without case, `--header` wins.
 * Throws a UsageError that contains no value.
 */
function parseHeaders(text: string | undefined, lines: readonly string[]): StringMap {
  const table = tableOf(text);
  if (table === null)
    throw new UsageError('RXMCP_HEADERS must be JSON such as {"authorization": "Bearer ..."}');
  const headers = new Headers();
  for (const [name, value] of Object.entries(table ?? {})) set(headers, 'RXMCP_HEADERS', name, value);
  for (const line of lines) {
    const at = line.indexOf(':');
    if (at === -1)
      throw new UsageError('--header takes a name and a value, such as "authorization: Bearer ..."');
    set(headers, '--header', line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  return Object.fromEntries(headers);
}

function set(headers: Headers, where: string, name: string, value: string): void {
  if (!nameForm.test(name) || !valueForm.test(value))
    throw new UsageError(`${where}: ${JSON.stringify(name)} has a name or a value that no header can have`);
  headers.set(name, value);
}

/** Undefined for an empty text, null for anything but an object of strings. */
function tableOf(text: string | undefined): StringMap | undefined | null {
  if (text === undefined || text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && Object.values(value).every((each) => typeof each === 'string')
      ? (value as StringMap)
      : null;
  } catch {
    return null;
  }
}
