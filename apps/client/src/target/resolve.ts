import type { TargetWord } from '../command.js';
import type { ConnectionSettings } from '../connection/options.js';
import { UsageError } from '../usage-error.js';
import { serverNamed } from './config.js';
import { merged } from './headers.js';
import { isUrl, type Target } from './target.js';

/** Resolves what the command line says of a server: a URL, a command, or a name in a config file. Rejects with a UsageError. */
export async function targetOf(
  word: TargetWord | undefined,
  { config, headers, env }: Pick<ConnectionSettings, 'config' | 'headers' | 'env'>,
): Promise<Target> {
  const target = await serverOf(word, config);
  if (target.kind === 'url') {
    if (Object.keys(env).length > 0) throw new UsageError('--env is for servers that are started');
    return { ...target, headers: merged(target.headers, headers) };
  }
  if (Object.keys(headers).length > 0) throw new UsageError('--header is for servers with a url');
  return { ...target, env: { ...target.env, ...env } };
}

async function serverOf(word: TargetWord | undefined, config: string): Promise<Target> {
  if (word === undefined)
    throw new UsageError('no server is given: a URL, a SERVER-NAME, or -- and its command');
  if (typeof word === 'string')
    return isUrl(word) ? { kind: 'url', url: word, headers: {} } : serverNamed(word, config);
  const [command, ...args] = word;
  return { kind: 'command', command, args };
}
