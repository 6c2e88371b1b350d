import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Transport } from 'rxmcp/transport';
import { UsageError } from '../usage-error.js';

/**
 * Loads a custom transport: the default export of a file, which is a transport or a function that returns one. Rejects with a
 * UsageError.
 */
export async function moduleTransport(file: string): Promise<Transport> {
  const where = `--transport ${JSON.stringify(file)}`;
  const fail = (cause: unknown): never => {
    const error = new UsageError(
      `${where} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
    error.cause = cause;
    throw error;
  };
  const loaded = (await import(pathToFileURL(resolve(file)).href).catch(fail)) as {
    readonly default?: unknown;
  };
  const { default: exported } = loaded;
  const made: unknown =
    typeof exported === 'function'
      ? await Promise.resolve()
          .then(() => exported() as unknown)
          .catch(fail)
      : exported;
  if (typeof (made as Partial<Transport> | null | undefined)?.dial === 'function') return made as Transport;
  const what =
    exported === undefined
      ? 'nothing'
      : typeof exported === 'function'
        ? 'a function that returns none'
        : 'another value';
  return fail(`its default export must be a transport or a function that returns one, it exports ${what}`);
}
