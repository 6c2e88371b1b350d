import process from 'node:process';
import { serveStdio } from 'rxmcp/stdio';
import { readArguments, usage, UsageError } from './arguments.js';
import { demoServer } from './demo-server.js';
import { faultLines } from './stderr/fault-lines.js';
import { rateLimited } from './stderr/rate-limited.js';
import { safeLine } from './stderr/safe-line.js';

try {
  const server = await demoServer(readArguments(process.argv.slice(2), process.env));
  const tell = rateLimited((text) => void process.stderr.write(text));
  server.faults$.subscribe((fault) => tell(faultLines(fault)));
  serveStdio(server);
} catch (error) {
  console.error(safeLine(error instanceof Error ? error.message : String(error)));
  console.error(usage);
  // A folder that is not there and a revision that nobody knows are wrong arguments as well.
  process.exitCode = isUsage(error) ? 2 : 1;
}

function isUsage(error: unknown): boolean {
  if (error instanceof UsageError || error instanceof TypeError) return true;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
