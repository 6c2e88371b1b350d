import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConnectionHandler, ServeHandle, Transport } from 'rxmcp/transport';
import { UsageError } from './arguments.js';

/** What the `serve` of a custom transport returns, or a promise of it. */
export type CustomListener = ServeHandle & { readonly url?: string };

/** Loads the transport of a file: its default export, or what that function returns. Rejects with a UsageError. */
export async function loadTransport(file: string): Promise<Transport> {
  const where = `--transport ${JSON.stringify(file)} failed`;
  const { default: exported } = await load(where, file);
  const made: unknown = typeof exported === 'function' ? await exported() : exported;
  if (typeof (made as Partial<Transport> | undefined)?.dial === 'function') return made as Transport;
  throw new UsageError(`${where}: its default export must be a transport or a function that returns one`);
}

/** Serves with the export `serve` of a file. Rejects with a UsageError where it has none, and with the error that `serve` throws. */
export async function serveWith(file: string, handler: ConnectionHandler): Promise<CustomListener> {
  const where = `--listen ${JSON.stringify(file)} failed`;
  const { serve } = await load(where, file);
  if (typeof serve !== 'function')
    throw new UsageError(`${where}: it has no export "serve", a function that takes a connection handler`);
  const listener = (await serve(handler)) as Partial<CustomListener> | undefined;
  if (typeof listener?.drain === 'function' && typeof listener.close === 'function')
    return listener as CustomListener;
  throw new UsageError(
    `${where}: its "serve" must return a handle with "drain" and "close", such as a ConnectionSet`,
  );
}

async function load(where: string, file: string): Promise<{ default?: unknown; serve?: unknown }> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as object;
  } catch (cause) {
    throw new UsageError(`${where}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
