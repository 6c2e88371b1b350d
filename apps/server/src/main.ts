import process from 'node:process';
import { serveStdio } from 'rxmcp/stdio';
import { readArguments, usage, UsageError } from './arguments.js';
import { demoServer } from './demo-server.js';

try {
  const server = await demoServer(readArguments(process.argv.slice(2), process.env));
  server.faults$.subscribe(({ code, message, reference, cause }) => {
    const about = reference === undefined ? code : `${code} (reference ${reference})`;
    console.error(`${about}: ${message}`, ...(cause === undefined ? [] : [cause]));
  });
  serveStdio(server);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(usage);
  // A folder that is not there and a revision that nobody knows are wrong arguments as well.
  process.exitCode = isUsage(error) ? 2 : 1;
}

function isUsage(error: unknown): boolean {
  if (error instanceof UsageError || error instanceof TypeError) return true;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
