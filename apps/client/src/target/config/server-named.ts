import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findProgram } from '@rxmcp/app-serving/find-program';
import { didYouMean } from '@rxmcp/app-serving/nearest';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import type { Target } from '../target.js';
import { ConfigError } from './config-error.js';
import { entryTarget } from './entry-target.js';
import { hostFiles, type HostFile, thisMachine } from './hosts.js';
import { type ConfigEntry, readConfig } from './read-config.js';

/** What the config files have. */
export interface Found {
  /** The servers, in the order of the files: of two with one name, the first is used. */
  readonly entries: readonly ConfigEntry[];
  /** Why files could not be read. */
  readonly errors: readonly ConfigError[];
}

/**
 * Reads the servers of one file, or of those of all hosts on this machine. Rejects with a ConfigError if the one file is missing or
 * invalid; those of hosts are reported.
 */
export async function findServers(file: string | undefined, env: NodeJS.ProcessEnv): Promise<Found> {
  if (file !== undefined) {
    const from: HostFile = { host: 'rxmcp', file, folder: resolve('.') };
    const entries = await readConfig(from);
    if (entries === undefined)
      throw new ConfigError(`${file} cannot be read: ENOENT. Pass an existing file to --config`);
    return { entries, errors: [] };
  }
  const errors: ConfigError[] = [];
  const read = await Promise.all(
    hostFiles(thisMachine(env)).map((from) =>
      readConfig(from).catch((error: unknown) => {
        if (!(error instanceof ConfigError)) throw error;
        errors.push(error);
        return undefined;
      }),
    ),
  );
  return { entries: read.flatMap((entries) => entries ?? []), errors };
}

/** Finds a server by its name. Rejects with a ConfigError, and with a UsageError that has the nearest names. */
export async function serverNamed(
  name: string,
  file: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Target> {
  const { entries, errors } = await findServers(file, env);
  const entry = entries.find((each) => each.name === name);
  if (entry !== undefined) return entryTarget(entry, env);
  // The name may be in the file that cannot be read.
  if (errors[0] !== undefined) throw errors[0];
  const names = [...new Set(entries.map((each) => each.name))];
  const hint = didYouMean(name, names) || (await otherTarget(name, env));
  const where = file ?? './mcp.json and the config files of hosts';
  const available = names.length === 0 ? 'none' : names.slice(0, maxShown).join(', ');
  throw new UsageError(`no server "${name}" in ${where}${hint === '' ? `; available: ${available}` : hint}`);
}

/** A host with a port, or with a path. */
const address =
  /^(?:localhost|[\w.-]*:\d{1,5}|\[[\da-f:]+\](?::\d{1,5})?|[\w-]+(?:\.[\w-]+)+(?=\/))(?:\/|$)/i;

/** A URL whose scheme is not followed by a colon and two slashes. */
const slashes = /^((?:sse\+)?(?:https?|wss?)):?\/{0,2}(?=[^/])/i;

/** What a word may have been meant as that is not the name of a server. */
async function otherTarget(word: string, env: NodeJS.ProcessEnv): Promise<string> {
  const isFile = existsSync(word);
  if (!isFile && /^(?:sse\+)?(?:https?|wss?)[:/]/i.test(word))
    return `. A URL begins with its scheme, a colon and two slashes: ${word.replace(slashes, '$1://')}`;
  if (!isFile && address.test(word))
    return `. An address begins with its scheme: http://${word.replace(/^:/, 'localhost:')}`;
  const [program = ''] = isFile ? [word] : word.split(' ', 1);
  const isProgram = isFile || (await findProgram(program, env).catch(() => undefined)) !== undefined;
  if (!isProgram) return '';
  const runtime = isFile && /\.[cm]?js$/.test(word) ? 'node ' : '';
  return `. The command that starts a server stands after --, as in -- ${runtime}${word}`;
}

/** How many names a message shows. */
const maxShown = 20;
