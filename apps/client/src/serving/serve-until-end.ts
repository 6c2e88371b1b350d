import process from 'node:process';
import type { Serving } from '@rxmcp/app-serving/serving';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import type { Program } from '../command.js';
import { exits } from '../failure.js';

/**
 * Serves until the program must end, or the client on standard input and output has disconnected. Running calls get their time to finish.
 * Resolves with the exit code.
 */
export async function serveUntilEnd(
  opening: Promise<Serving>,
  { signal, terminal }: Program,
): Promise<number> {
  const { urls, ended, drain } = await opening.catch((error: NodeJS.ErrnoException & { port?: number }) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new UsageError(`the port ${String(error.port)} is in use. Pass another one, or 0 for a free one`);
  });
  for (const url of urls) terminal.tell(`listening ${url}`);
  if (ended !== undefined && process.stdin.isTTY === true)
    terminal.tell(
      'serving one client on standard input and output: --http 3000 listens at a port, Ctrl-C ends',
    );
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await (ended === undefined ? aborted : Promise.race([ended, aborted]));
  await drain();
  return exits.good;
}
