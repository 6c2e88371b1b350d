import type { Target } from '../target.js';
import { checked } from '../headers.js';
import { ConfigError } from './config-error.js';
import { type ConfigEntry, isObject } from './read-config.js';
import { expanded } from './variables.js';

/** Whether an entry says that the host does not use its server. */
export function isDisabled({ value }: ConfigEntry): boolean {
  return isObject(value) && (value['disabled'] === true || value['enabled'] === false);
}

/**
 * Returns where the server of an entry is. Each host has its own form: `command` with `args`, or an array (OpenCode); `env` or
 * `environment`; `url` or `serverUrl` (Windsurf). Throws a ConfigError that has no value of the entry.
 */
export function entryTarget({ name, from, value }: ConfigEntry, env: NodeJS.ProcessEnv): Target {
  const where = `"${name}" in ${from.file}`;
  if (!isObject(value)) throw new ConfigError(`${where} is not a JSON object`);
  const fail = (what: string): never => {
    throw new ConfigError(`${where}: ${what}. Correct the file`);
  };
  const take = <Name extends string>(...names: Name[]): unknown => {
    const found = names.find((each) => value[each] !== undefined);
    return found === undefined
      ? undefined
      : expanded(value[found], found, { env, folder: from.folder, where });
  };
  const url = take('url', 'serverUrl');
  if (typeof url === 'string') {
    const headers = take('headers') ?? {};
    if (!isStrings(headers)) return fail('"headers" must be an object of strings');
    try {
      return {
        kind: 'url',
        url: value['type'] === 'sse' ? overSse(url) : url,
        headers: checked(headers, where),
      };
    } catch (error) {
      throw new ConfigError((error as Error).message);
    }
  }
  const command = take('command');
  const words = Array.isArray(command) ? command : [command, ...((take('args') ?? []) as unknown[])];
  if (typeof words[0] !== 'string' || words[0] === '') return fail('it has neither a "command" nor a "url"');
  if (!words.every(isString)) return fail('"args" must be strings');
  const variables = take('env', 'environment');
  if (variables !== undefined && !isStrings(variables)) return fail('"env" must be an object of strings');
  const cwd = take('cwd');
  if (cwd !== undefined && !isString(cwd)) return fail('"cwd" must be a string');
  return {
    kind: 'command',
    command: words[0],
    args: words.slice(1),
    ...(variables === undefined ? {} : { env: variables }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

const overSse = (url: string): string => (/^https?:/i.test(url) ? `sse+${url}` : url);

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isStrings(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every(isString);
}
