import process from 'node:process';
import { loadTransport } from '@rxmcp/app-serving/custom-transport';
import { findProgram } from '@rxmcp/app-serving/find-program';
import { nextStep } from '@rxmcp/app-serving/next-step';
import { untilStopped } from '@rxmcp/app-serving/until-stopped';
import { helpAfter, UsageError } from '@rxmcp/app-serving/usage-error';
import type { Fault } from 'rxmcp';
import { stdio } from 'rxmcp/stdio';
import type { Transport } from 'rxmcp/transport';
import { transportFor } from 'rxmcp/url';
import { webSocket } from 'rxmcp/websocket/node';
import type { Invocation, ServerTarget } from './arguments.js';
import { readArguments, textToPrint } from './arguments.js';
import { openBridge } from './bridge.js';

/** The faults of a server that cannot be reached, or is lost. */
const losses: ReadonlySet<string> = new Set([
  'CONNECTION_LOST',
  'DIAL_ABORTED',
  'DIAL_FAILED',
  'OVERFLOW',
  'SESSION_EXPIRED',
  'STALLED',
]);
let isLost = false;
// The reader of standard error may close it first: writes then fail, which must not end the process.
process.stderr.on('error', () => undefined);

try {
  const args = process.argv.slice(2);
  const text = textToPrint(args);
  if (text === undefined) await serve(readArguments(args, process.env));
  else process.stdout.write(`${text}\n`);
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof TypeError;
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`${reason}${helpAfter(error)}${nextStep(reason)}`);
  process.exitCode = isUsage ? 2 : 1;
}

async function serve({ server, ...options }: Invocation): Promise<void> {
  const isCommand = 'command' in server;
  // At a port it would be noticed when a client comes.
  if (isCommand && !options.stdio) await findProgram(server.command, process.env);
  const serving = await openBridge(await transportTo(server), { ...options, isCommand, onFault: tell });
  const isAlone = serving.urls.length === 0;
  untilStopped(serving, { needsParent: isAlone, exitCode: () => (isAlone && isLost ? 1 : 0) });
  for (const url of serving.urls) process.stderr.write(`listening ${url}\n`);
}

function tell({ code, message }: Fault): void {
  if (losses.has(code)) isLost = true;
  process.stderr.write(`${code}: ${message}\n`);
}

/** Returns the transport to a server. The standard error of a command is passed on. Rejects with a UsageError for an invalid URL or file. */
async function transportTo(server: ServerTarget): Promise<Transport> {
  if ('file' in server) return loadTransport(server.file);
  if ('command' in server) return stdio(server);
  const { url, headers } = server;
  const { protocol, username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new UsageError('a URL must not contain credentials: pass them with --header or RXMCP_HEADERS');
  // `transportFor` uses the global WebSocket, which older versions of Node do not have.
  return /^wss?:$/.test(protocol) ? webSocket(url, { headers }) : transportFor(url, { headers });
}
