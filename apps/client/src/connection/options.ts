import { protocolOf } from '@rxmcp/app-serving/read-options';
import type { OptionTable, OptionValues } from '../command.js';
import { type HeaderSet, headersOf } from '../target/headers.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** Options of every command that connects to a server. */
export const connectionOptions = {
  config: {
    value: 'FILE',
    help: 'The only file whose servers are called by name. Default ./mcp.json and the config files of hosts: see rxmcp servers.',
  },
  header: {
    value: 'NAME:VALUE',
    repeats: true,
    help: 'Sent with every request to a URL. Other users of this machine can see it; they cannot see the headers of a config file.',
  },
  env: {
    value: 'NAME=VALUE',
    repeats: true,
    help: 'A variable for a server that is started. Other users can see it; they cannot see the "env" of a config file.',
  },
  protocol: { value: 'WHICH', help: 'auto (default), modern, legacy, or a revision such as 2025-06-18.' },
  timeout: {
    value: 'MS',
    help: 'Milliseconds for connecting (default 10000), and for a call without progress (default 60000).',
  },
  root: { value: 'DIR', repeats: true, help: 'A folder that the server should work in.' },
  approve: {
    value: 'HOW',
    help:
      'What happens to requests of the server to the model, its forms and pages: ask (on standard input; the default at a terminal), ' +
      'always (requests pass; forms and pages are declined), never (the default elsewhere; the server gets no model).',
  },
} as const satisfies OptionTable;

/** The option of commands that take a target. */
export const transportOption = {
  transport: {
    value: 'FILE',
    help: 'A module whose default export is a transport, or a function that returns one, instead of TARGET.',
  },
} as const satisfies OptionTable;

/** How requests of a server are approved: by a person, or all the same way. */
export type Approval = 'ask' | 'always' | 'never';

/** The values of {@link connectionOptions}, read. */
export interface ConnectionSettings {
  readonly config: string | undefined;
  /** The file of a custom transport. */
  readonly transport: string | undefined;
  /** Sent with every request to a URL. */
  readonly headers: HeaderSet;
  /** Variables for the environment of a server that is started. */
  readonly env: Readonly<Record<string, string>>;
  readonly protocol: ReturnType<typeof protocolOf>;
  readonly timeoutMs: number | undefined;
  readonly roots: readonly string[];
  readonly approve: Approval | undefined;
  /** Whether messages, requests and changes of the connection are logged. */
  readonly debug: boolean;
  /** Whether log records of the server are shown. @default true */
  readonly showsLog?: boolean;
}

/** The values of {@link connectionOptions}. */
export type ConnectionOptionValues = OptionValues<typeof connectionOptions> & {
  readonly debug?: boolean;
  readonly transport?: string;
};

/** Reads the options. Throws a UsageError. */
export function connectionSettings(values: ConnectionOptionValues): ConnectionSettings {
  return {
    config: values.config,
    transport: values.transport,
    headers: headersOf(values.header ?? []),
    env: envOf(values.env ?? []),
    protocol: protocolOf(values.protocol),
    timeoutMs: timeoutOf(values.timeout),
    roots: values.root ?? [],
    approve: approvalOf(values.approve),
    debug: values.debug ?? false,
  };
}
// The message has no value: it may be a secret.
function envOf(entries: readonly string[]): ConnectionSettings['env'] {
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=');
      if (at < 1 || entry.includes('\0'))
        throw new UsageError('--env takes NAME=VALUE, such as "LOG_LEVEL=debug"');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
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
