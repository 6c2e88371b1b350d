import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConnectionHandler, ServeHandle, Transport } from 'rxmcp/transport';
import { UsageError } from './usage-error.js';

/** What the `serve` of a custom transport returns, or a promise of it. */
export type CustomListener = ServeHandle & { readonly url?: string };

/**
 * Loads a custom transport: the default export of a file, which is a transport or a function that returns one. Rejects with a
 * UsageError.
 */
export async function loadTransport(file: string): Promise<Transport> {
  const where = `--transport ${JSON.stringify(file)}`;
  const { default: exported } = await load(where, file);
  const made: unknown =
    typeof exported === 'function'
      ? await Promise.resolve()
          .then(() => exported() as unknown)
          .catch((cause: unknown) => fail(where, cause))
      : exported;
  if (typeof (made as Partial<Transport> | null | undefined)?.dial === 'function') return made as Transport;
  const what =
    exported === undefined
      ? 'nothing'
      : typeof exported === 'function'
        ? 'a function that returns none'
        : 'another value';
  return fail(
    where,
    `its default export must be a transport or a function that returns one, it exports ${what}`,
  );
}

/**
 * Serves with the export `serve` of the file that an option names. Rejects with a UsageError where it has none, and with the error that
 * `serve` throws.
 */
export async function serveWith(
  option: string,
  file: string,
  handler: ConnectionHandler,
): Promise<CustomListener> {
  const where = `${option} ${JSON.stringify(file)}`;
  const { serve } = await load(where, file);
  if (typeof serve !== 'function')
    return fail(where, 'it has no export "serve", a function that takes a connection handler');
  const listener = (await serve(handler)) as Partial<CustomListener> | undefined;
  if (typeof listener?.drain === 'function' && typeof listener.close === 'function')
    return listener as CustomListener;
  return fail(where, 'its "serve" must return a handle with "drain" and "close", such as a ConnectionSet');
}

async function load(where: string, file: string): Promise<{ default?: unknown; serve?: unknown }> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as object;
  } catch (cause) {
    return fail(where, cause);
  }
}

function fail(where: string, cause: unknown): never {
  const error = new UsageError(`${where} failed: ${cause instanceof Error ? cause.message : String(cause)}`);
  error.cause = cause;
  throw error;
}
