import type { TargetWord } from '../command.js';
import type { ConnectionSettings } from '../connection/options.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { merged } from './headers.js';
import { isUrl, type Target } from './target.js';

/** What decides which server a word means. */
export type TargetSettings = Pick<ConnectionSettings, 'config' | 'transport' | 'headers' | 'env'>;

/**
 * Resolves what the command line says of a server: a URL, a command, a name in a config file, or a file with a transport. Rejects with a
 * UsageError, and with a ConfigError.
 */
export async function targetOf(
  word: TargetWord | undefined,
  { config, transport, headers, env }: TargetSettings,
  variables: NodeJS.ProcessEnv,
): Promise<Target> {
  if (transport !== undefined && typeof word === 'object')
    throw new UsageError('--transport reaches the server: leave out -- and its command');
  const target: Target =
    transport === undefined ? await serverOf(word, config, variables) : { kind: 'module', file: transport };
  if (target.kind !== 'command' && Object.keys(env).length > 0)
    throw new UsageError('--env is for servers that are started');
  if (target.kind !== 'url' && Object.keys(headers).length > 0)
    throw new UsageError('--header is for servers with a url');
  if (target.kind === 'url') return { ...target, headers: merged(target.headers, headers) };
  return target.kind === 'command' ? { ...target, env: { ...target.env, ...env } } : target;
}

async function serverOf(
  word: TargetWord | undefined,
  config: string | undefined,
  variables: NodeJS.ProcessEnv,
): Promise<Target> {
  if (word === undefined)
    throw new UsageError('no server is given: a URL, a SERVER-NAME, or -- and its command');
  if (typeof word === 'string') {
    if (isUrl(word)) return { kind: 'url', url: word, headers: {} };
    return (await import('./config/server-named.js')).serverNamed(word, config, variables);
  }
  const [command, ...args] = word;
  return { kind: 'command', command, args };
}
