import { didYouMean } from '../../nearest.js';
import type { Target } from '../target.js';
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
  command: [(value) => (isString(value) && value !== '') || (isTexts(value) && value.length > 0), 'a string'],
  args: [isTexts, 'an array of strings, such as ["-y", "a-server"]'],
  env: [isStrings, 'an object of strings'],
  environment: [isStrings, 'an object of strings'],
  cwd: [isString, 'a string'],
  url: [isString, 'a string'],
  serverUrl: [isString, 'a string'],
  headers: [isStrings, 'an object of strings'],
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

/** Returns an entry that has a valid form. Throws a ConfigError that names the file and the member, and has no value of the entry. */
export function checkedEntry({ name, from, value }: ConfigEntry): Entry {
  const fail = (what: string): never => {
    throw new ConfigError(`"${name}" in ${from.file}: ${what}. Correct the file`);
  };
  if (!isObject(value)) return fail(`it must be an object, got ${kindOf(value)}`);
  for (const [member, [isValid, what]] of Object.entries(members))
    if (value[member] !== undefined && !isValid(value[member]))
      return fail(`"${member}" must be ${what}, got ${kindOf(value[member])}`);
  if (place.every((member) => value[member] === undefined)) {
    const hints = Object.keys(value).map((key) =>
      didYouMean(key, place).replace(/\?$/, ` instead of ${JSON.stringify(key)}?`),
    );
    return fail(`it has neither a "command" nor a "url"${hints.find((hint) => hint.startsWith('. ')) ?? ''}`);
  }
  return value as Entry;
}

/**
 * Returns where the server of an entry is. Each host has its own form: `command` with `args`, or an array (OpenCode); `env` or
 * `environment`; `url` or `serverUrl` (Windsurf). Throws a ConfigError that has no value of the entry.
 */
export function entryTarget(entry: ConfigEntry, env: NodeJS.ProcessEnv): Target {
  const { name, from } = entry;
  const value = checkedEntry(entry);
  const where = `"${name}" in ${from.file}`;
  const take = <Value>(member: string, found: Value): Value =>
    expanded(found, member, { env, folder: from.folder, where });
  const url = value.url ?? value.serverUrl;
  if (url !== undefined) {
    const at = take('url', url);
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
