import { homedir } from 'node:os';
import { basename, sep } from 'node:path';
import { ConfigError } from './config-error.js';

/** What variables of a config file stand for. */
export interface Scope {
  readonly env: NodeJS.ProcessEnv;
  /** What `${workspaceFolder}` means. */
  readonly folder: string;
  /** The server and its file, for errors. */
  readonly where: string;
}

/**
 * Replaces `${NAME}`, `${NAME:-default}`, `${env:NAME}`, the `{env:NAME}` of OpenCode and the predefined variables of editors in the
 * texts of a value. Throws a ConfigError that names a variable which is not set.
 */
export function expanded<Value>(value: Value, path: string, scope: Scope): Value {
  if (typeof value === 'string') return expandedText(value, path, scope) as Value;
  if (Array.isArray(value)) return value.map((item, at) => expanded(item, `${path}[${at}]`, scope)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, expanded(item, `${path}.${name}`, scope)]),
  ) as Value;
}

const reference =
  /\$\{(?:env:)?(?<name>\w+)(?::-(?<fallback>[^}]*))?\}|\{env:(?<plain>\w+)\}|\$\{(?<input>input:[^}]*|\/)\}/g;

function expandedText(text: string, path: string, scope: Scope): string {
  return text.replace(reference, (...match) => {
    const { name, fallback, plain, input } = match.at(-1) as Readonly<Record<string, string | undefined>>;
    if (input === '/') return sep;
    if (input !== undefined)
      throw new ConfigError(
        `${scope.where}: "${path}" asks the user for \${${input}}, which is known to the editor only. Copy the server to a ` +
          `custom file, and pass that with --config`,
      );
    const known = name ?? plain ?? '';
    const value = predefined(known, scope) ?? scope.env[known];
    // As in a shell, a default also replaces an empty value.
    if (fallback !== undefined && (value ?? '') === '') return fallback;
    if (value !== undefined) return value;
    throw new ConfigError(
      `${scope.where}: the variable ${known} of "${path}" is not set. Set it` +
        (plain === undefined ? `, or write \${${known}:-default}` : ''),
    );
  });
}

function predefined(name: string, { folder }: Scope): string | undefined {
  switch (name) {
    case 'workspaceFolder':
      return folder;
    case 'workspaceFolderBasename':
      return basename(folder);
    case 'userHome':
      return homedir();
    case 'pathSeparator':
      return sep;
    default:
      return undefined;
  }
}
