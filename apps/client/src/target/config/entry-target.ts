import { nearest } from '@rxmcp/app-serving/nearest';
import { isUrl, type Target } from '../target.js';
import { checked } from '../headers.js';
import { ConfigError } from './config-error.js';
import { type ConfigEntry, isObject } from './read-config.js';
import { expanded } from './variables.js';

/** Whether an entry says that the host does not use its server. */
export function isDisabled({ value }: ConfigEntry): boolean {
  return isObject(value) && (value['disabled'] === true || value['enabled'] === false);
}

const place = ['command', 'url', 'serverUrl'] as const;

/** The members that say where a server is. Hosts have others, for themselves. */
const members: Readonly<Record<string, readonly [isValid: (value: unknown) => boolean, what: string]>> = {
  command: [
    (value) => (isString(value) && value !== '') || (isTexts(value) && value.length > 0),
    'a string that is not empty',
  ],
  args: [isTexts, 'an array of strings, such as ["-y", "a-server"]'],
  env: [isStrings, 'an object whose values are strings'],
  environment: [isStrings, 'an object whose values are strings'],
  cwd: [isString, 'a string'],
  url: [isString, 'a string'],
  serverUrl: [isString, 'a string'],
  headers: [isStrings, 'an object whose values are strings'],
};

interface Entry {
  readonly type?: unknown;
  readonly command?: string | readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly serverUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Says what is wrong with the form of an entry, without its values; undefined if it is valid. */
export function formProblem({ value }: ConfigEntry): string | undefined {
  if (!isObject(value)) return `it must be an object, got ${kindOf(value)}`;
  for (const [member, [isValid, what]] of Object.entries(members))
    if (value[member] !== undefined && !isValid(value[member]))
      return `"${member}" must be ${what}, got ${kindOf(value[member])}`;
  if (place.some((member) => value[member] !== undefined)) return undefined;
  const [key, member] =
    Object.keys(value)
      .map((each) => [each, nearest(each, place)[0]] as const)
      .find(([, near]) => near !== undefined) ?? [];
  const hint = key === undefined ? '' : `; is ${JSON.stringify(key)} meant as "${member}"?`;
  return `it has neither a "command" nor a "url"${hint}`;
}

/**
 * Returns where the server of an entry is. Each host has its own form: `command` with `args`, or an array (OpenCode); `env` or
 * `environment`; `url` or `serverUrl` (Windsurf). Throws a ConfigError that has no value of the entry.
 */
export function entryTarget(entry: ConfigEntry, env: NodeJS.ProcessEnv): Target {
  const { name, from } = entry;
  const where = `"${name}" in ${from.file}`;
  const problem = formProblem(entry);
  if (problem !== undefined)
    throw new ConfigError(`${where}: ${problem}${problem.endsWith('?') ? '' : '.'} Correct the file`);
  const value = entry.value as Entry;
  const take = <Value>(member: string, found: Value): Value =>
    expanded(found, member, { env, folder: from.folder, where });
  const url = value.url ?? value.serverUrl;
  if (url !== undefined) {
    const at = take('url', url);
    if (!isUrl(at))
      throw new ConfigError(
        `${where}: "url" must be a URL, such as https://example.com/mcp. Correct the file`,
      );
    try {
      return {
        kind: 'url',
        url: value.type === 'sse' ? overSse(at) : at,
        headers: checked(take('headers', value.headers ?? {}), where),
      };
    } catch (error) {
      throw error instanceof ConfigError ? error : new ConfigError((error as Error).message);
    }
  }
  const { command = '', args = [], cwd } = value;
  const [program = '', ...own] = take('command', typeof command === 'string' ? [command] : command);
  const variables = value.env ?? value.environment;
  return {
    kind: 'command',
    command: program,
    args: [...own, ...take('args', args)],
    ...(variables === undefined ? {} : { env: take('env', variables) }),
    ...(cwd === undefined ? {} : { cwd: take('cwd', cwd) }),
  };
}

const overSse = (url: string): string => (/^https?:/i.test(url) ? `sse+${url}` : url);

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isString);
}

function isStrings(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every(isString);
}
