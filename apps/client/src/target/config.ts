import { readFile } from 'node:fs/promises';
import { UsageError } from '../usage-error.js';
import { checked } from './headers.js';
import type { Target } from './target.js';

/** Finds a server by its name under `mcpServers` of a config file. Rejects with a UsageError. */
export async function serverNamed(name: string, file: string): Promise<Target> {
  const servers = serversOf(await read(file, name), file);
  const entry = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (entry === undefined) {
    const names = Object.keys(servers);
    const available = names.length === 0 ? 'none' : names.join(', ');
    throw new UsageError(`no server "${name}" in ${file}; available: ${available}`);
  }
  const where = `"${name}" in ${file}`;
  if (!isObject(entry)) throw new UsageError(`${where} is not a JSON object`);
  const { command, args = [], env, cwd, url, headers = {} } = entry;
  if (typeof url === 'string') {
    if (!isStrings(headers)) throw new UsageError(`${where}: "headers" must be an object of strings`);
    return { kind: 'url', url, headers: checked(headers, where) };
  }
  if (typeof command !== 'string' || command === '')
    throw new UsageError(`${where} has neither a "command" nor a "url"`);
  if (!Array.isArray(args) || !args.every(isString)) throw new UsageError(`${where}: "args" must be strings`);
  if (env !== undefined && !isStrings(env))
    throw new UsageError(`${where}: "env" must be an object of strings`);
  if (cwd !== undefined && !isString(cwd)) throw new UsageError(`${where}: "cwd" must be a string`);
  return {
    kind: 'command',
    command,
    args,
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

async function read(file: string, name: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UsageError(`"${name}" is looked up in ${file}, which cannot be read: ${code ?? String(cause)}`);
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new UsageError(`${file} is not valid JSON: ${(cause as Error).message}`);
  }
}

function serversOf(config: unknown, file: string): Readonly<Record<string, unknown>> {
  const servers = isObject(config) ? config['mcpServers'] : undefined;
  if (isObject(servers)) return servers;
  throw new UsageError(`${file} has no object "mcpServers"`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isStrings(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every(isString);
}
