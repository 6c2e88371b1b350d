import { infoOptions, optionLines } from '@rxmcp/app-serving/options';
import { readOptions } from '@rxmcp/app-serving/read-options';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** A command line, read. */
export interface Invocation {
  /** 0 = a free one. */
  readonly port: number;
  /** The server that the page offers to connect to: a URL, or a command. */
  readonly target?: string | { readonly command: string; readonly args: readonly string[] };
}

const defaultPort = 6_280;

const options = {
  port: { value: 'PORT', help: `Where the page is served; 0 is a free port. Default ${defaultPort}.` },
  ...infoOptions,
} as const;

/** What `--help` prints. */
export const usage = `usage: main.js [options] [URL]
       main.js [options] -- COMMAND ARGS...

Serves a page for a browser, which connects to a server, calls its tools, reads its resources and gets its prompts.
A URL (http, https, ws, wss) is filled in at the page. A command is started for each session of the page.

${optionLines(options)}`;

/** Reads the command line. Throws a UsageError. */
export function readArguments(args: readonly string[]): Invocation | 'help' | 'version' {
  const split = args.indexOf('--');
  const [command, ...rest] = split === -1 ? [] : args.slice(split + 1);
  const { values, positionals } = readOptions(
    'the playground',
    split === -1 ? args : args.slice(0, split),
    options,
  );
  if (values.help === true) return 'help';
  if (values.version === true) return 'version';
  const [url, ...others] = positionals;
  if (others.length > 0 || (url !== undefined && split !== -1))
    throw new UsageError('too many arguments: pass one URL, or "--" and one command', true);
  if (split !== -1 && command === undefined) throw new UsageError('no command follows "--"', true);
  if (url !== undefined && !/^(https?|wss?):\/\//.test(url))
    throw new UsageError(`${JSON.stringify(url)} is not an http, https, ws or wss URL. Commands follow "--"`);
  const port = values.port ?? String(defaultPort);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(
      `--port ${JSON.stringify(port)} is not a port: pass a number up to 65535, or 0 for a free port`,
    );
  const target = command === undefined ? url : { command, args: rest };
  return { port: Number(port), ...(target === undefined ? {} : { target }) };
}
