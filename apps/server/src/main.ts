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
  if (error instanceof UsageError && error.isForm) console.error(usage);
  // The reason last: that is the line which a client shows of a server that ends at once.
  console.error(safeLine(reasonOf(error)));
  // A folder that is not there and a revision that nobody knows are wrong arguments as well.
  const isUsage = error instanceof UsageError || error instanceof TypeError || isNoFolder(error);
  process.exitCode = isUsage ? 2 : 1;
}

function reasonOf(error: unknown): string {
  if (isNoFolder(error)) return `there is no folder ${JSON.stringify(error.path)}`;
  return error instanceof Error ? error.message : String(error);
}

function isNoFolder(error: unknown): error is NodeJS.ErrnoException {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
