import { failureOf, serveFolder, version } from '@rxmcp/app-server/serve';
import type { ServeValues } from '@rxmcp/app-server/options';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import type { Program } from '../command.js';
import { exits } from '../failure.js';
import { serveUntilEnd } from './serve-until-end.js';

/** Serves a folder with the reference server. Resolves with the exit code. */
export async function runServe(
  options: ServeValues,
  folders: readonly string[],
  program: Program,
): Promise<number> {
  if (options.version === true) {
    program.output.raw(`${version}\n`);
    return exits.good;
  }
  const opening = serveFolder(options, folders, program.env).catch((error: unknown) => {
    const { reason, isUsage } = failureOf(error);
    throw isUsage ? new UsageError(reason) : error;
  });
  return serveUntilEnd(opening, program);
}
