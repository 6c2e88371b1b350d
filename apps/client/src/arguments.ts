import { parseArgs } from 'node:util';
import type { EraId, JsonObject } from 'rxmcp';
import { commands, type CommandName } from './commands.js';
import { type HeaderSet, headersOf } from './target/headers.js';
import { UsageError } from './usage.js';

/** How requests of a server are approved: by a person, or all the same way. */
export type Approval = 'ask' | 'always' | 'never';

/** A command line, read. */
export interface Invocation {
  readonly command: CommandName;
  /** The NAME or URI; empty for a command that takes none. */
  readonly name: string;
  readonly args: JsonObject;
  /** Where the server is: a name in the config, a url, or a command with its arguments. */
  readonly server: string | readonly [command: string, ...args: string[]];
  readonly config: string;
  /** Sent with every request to a url. */
  readonly headers: HeaderSet;
  /** Variables for the environment of a server that is started. */
  readonly env: Readonly<Record<string, string>>;
  readonly protocol: { readonly eras?: readonly EraId[]; readonly versions?: readonly string[] };
  readonly timeoutMs: number | undefined;
  readonly roots: readonly string[];
  readonly approve: Approval | undefined;
  /** Whether messages, requests and changes of the connection are logged. */
  readonly debug: boolean;
}

/** Reads a command line. Throws a UsageError; `help` where help is asked for. */
export function readArguments(argv: readonly string[]): Invocation | 'help' {
  const split = argv.indexOf('--');
  const own = split === -1 ? argv : argv.slice(0, split);
  const { values, positionals } = parsed(own);
  if (values.help === true) return 'help';
  const [word, ...words] = positionals;
  if (word === undefined) throw new UsageError('no command is given');
  if (!isCommand(word)) throw new UsageError(`"${word}" is not a command`);
  const { takes } = commands[word];
  const name = takes.name === undefined ? '' : words.shift();
  if (name === undefined) throw new UsageError(`${word} needs a ${takes.name}`);
  const launched = split === -1 ? undefined : argv.slice(split + 1);
  // The server stands last, so ARGS is there when there is one word more.
  const hasArgs = takes.args && words.length > (launched === undefined ? 1 : 0);
  const args = hasArgs ? objectOf(words.shift() ?? '') : {};
  const server = launched ?? words.shift();
  if (words.length > 0) throw new UsageError(`"${words[0]}" is one word too many`);
  return {
    command: word,
    name,
    args,
    server: serverOf(server),
    config: values.config ?? 'mcp.json',
    headers: headersOf(values.header ?? []),
    env: envOf(values.env ?? []),
    protocol: protocolOf(values.protocol),
    timeoutMs: timeoutOf(values.timeout),
    roots: values.root ?? [],
    approve: approvalOf(values.approve),
    debug: values.debug ?? false,
  };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: text,
        header: { type: 'string', multiple: true },
        env: { type: 'string', multiple: true },
        protocol: text,
        timeout: text,
        approve: text,
        root: { type: 'string', multiple: true },
        debug: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(commands, word);
}

function serverOf(server: string | readonly string[] | undefined): Invocation['server'] {
  if (server === undefined)
    throw new UsageError('no server is given: a URL, a SERVER-NAME, or -- and its command');
  if (typeof server === 'string') return server;
  const [command, ...args] = server;
  if (command === undefined || command === '') throw new UsageError('no command stands after --');
  return [command, ...args];
}

function objectOf(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`ARGS is not valid JSON: ${(cause as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new UsageError('ARGS must be one JSON object, such as {"a": 1}');
}

// The message has no value: it may be a secret.
function envOf(entries: readonly string[]): Invocation['env'] {
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=');
      if (at < 1 || entry.includes('\0'))
        throw new UsageError('--env takes NAME=VALUE, such as "LOG_LEVEL=debug"');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

function protocolOf(protocol = 'auto'): Invocation['protocol'] {
  if (protocol === 'auto') return {};
  if (protocol === 'modern' || protocol === 'legacy') return { eras: [protocol] };
  if (/^\d{4}-\d{2}-\d{2}$/.test(protocol)) return { versions: [protocol] };
  throw new UsageError(`--protocol ${JSON.stringify(protocol)} must be auto, modern, legacy or a date`);
}

function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) : 0;
  if (ms >= 1 && ms < 2 ** 31) return ms;
  throw new UsageError(`--timeout ${JSON.stringify(text)} must be a number of milliseconds`);
}

function approvalOf(text: string | undefined): Approval | undefined {
  if (text === undefined || text === 'ask' || text === 'always' || text === 'never') return text;
  throw new UsageError(`--approve ${JSON.stringify(text)} must be ask, always or never`);
}
