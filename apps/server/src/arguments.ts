import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { StateKey } from 'rxmcp';
import type { DemoServerOptions } from './demo-server.js';

/** The command line, or the environment, makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    /** Not a value but the form of the command line is wrong: showing how it is called helps. */
    readonly isForm = false,
  ) {
    super(message);
  }
}

/** How the program is called. */
export const usage =
  'usage: main.js [--stdio] [--http PORT] [--sse PORT] [--ws PORT] [--root DIR] [--protocol auto|modern|legacy|DATE]';

const thisRepository = fileURLToPath(new URL('../../..', import.meta.url));

/** Reads the command line and `RXMCP_STATE_KEYS`. Throws a UsageError. */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): DemoServerOptions {
  const { root, protocol, ...listeners } = parsed(args);
  const missing = (['http', 'sse', 'ws'] as const).find((name) => listeners[name] !== undefined);
  if (missing !== undefined)
    throw new UsageError(`--${missing} is not built yet: this server has --stdio only`);
  const stateKeys = stateKeysOf(env['RXMCP_STATE_KEYS']);
  return {
    root: root ?? thisRepository,
    ...protocolOf(protocol),
    ...(stateKeys === undefined ? {} : { stateKeys }),
  };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: { stdio: { type: 'boolean' }, http: text, sse: text, ws: text, root: text, protocol: text },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), true);
  }
}

function protocolOf(protocol = 'auto'): Pick<DemoServerOptions, 'eras' | 'versions'> {
  if (protocol === 'auto') return {};
  if (protocol === 'modern' || protocol === 'legacy') return { eras: [protocol] };
  if (/^\d{4}-\d{2}-\d{2}$/.test(protocol)) return { versions: [protocol] };
  throw new UsageError(`--protocol ${JSON.stringify(protocol)} is none of auto, modern, legacy or a date`);
}

function stateKeysOf(text: string | undefined): readonly StateKey[] | undefined {
  if (text === undefined || text === '') return undefined;
  let keys: unknown;
  try {
    keys = JSON.parse(text);
  } catch {
    keys = undefined;
  }
  if (Array.isArray(keys) && keys.length > 0 && keys.every(isKey)) return keys;
  // The text itself is secret.
  throw new UsageError(
    'RXMCP_STATE_KEYS must be JSON such as [{"id": "a", "secret": "at least 32 characters"}]',
  );
}

function isKey(value: unknown): value is StateKey {
  if (typeof value !== 'object' || value === null) return false;
  const { id, secret } = value as Record<string, unknown>;
  return typeof id === 'string' && typeof secret === 'string';
}
