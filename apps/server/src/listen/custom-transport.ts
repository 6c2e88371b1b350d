import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConnectionHandler, ServeHandle } from 'rxmcp/transport';
import { UsageError } from '../usage.js';

/** What the `serve` of a custom transport returns, or a promise of it. */
export type CustomListener = ServeHandle & { readonly url?: string };

/** Serves with the export `serve` of a file. Rejects with a UsageError where it has none, and with the error that `serve` throws. */
export async function serveWith(file: string, handler: ConnectionHandler): Promise<CustomListener> {
  const where = `--transport ${JSON.stringify(file)} failed`;
  const loaded = (await import(pathToFileURL(resolve(file)).href).catch((cause: unknown) => {
    throw new UsageError(`${where}: ${cause instanceof Error ? cause.message : String(cause)}`);
  })) as { readonly serve?: unknown };
  if (typeof loaded.serve !== 'function')
    throw new UsageError(`${where}: it has no export "serve", a function that takes a connection handler`);
  const listener = (await loaded.serve(handler)) as Partial<CustomListener> | undefined;
  if (typeof listener?.drain === 'function' && typeof listener.close === 'function')
    return listener as CustomListener;
  throw new UsageError(
    `${where}: its "serve" must return a handle with "drain" and "close", such as a ConnectionSet`,
  );
}
