import process from 'node:process';
import type { Fault } from 'rxmcp';
import { bridge } from 'rxmcp';
import { serveStdio } from 'rxmcp/stdio';
import { type Invocation, readArguments } from './arguments.js';
import { linksOf } from './links.js';
import { openListeners } from './listeners.js';
import { transportTo } from './transport-to.js';
import { untilStopped } from './until-stopped.js';
import { usage, UsageError } from './usage.js';

/** The faults of a server that was not reached, or is not there any more. */
const losses: ReadonlySet<string> = new Set([
  'CONNECTION_LOST',
  'DIAL_ABORTED',
  'DIAL_FAILED',
  'OVERFLOW',
  'SESSION_LOST',
  'STALLED',
]);
let isLost = false;
// Whoever read it may go first: what is said then is said to nobody, and ends nothing.
process.stderr.on('error', () => undefined);

try {
  await serve(readArguments(process.argv.slice(2), process.env));
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof TypeError;
  if (error instanceof UsageError) console.error(usage);
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = isUsage ? 2 : 1;
}

async function serve(invocation: Invocation): Promise<void> {
  const { server, maxClients } = invocation;
  const links = linksOf(bridge(transportTo(server), { maxClients, onFault: tell }));
  const listening = await openListeners(links, invocation);
  const pipe = invocation.stdio ? serveStdio(links, { exit: false }) : undefined;
  const isAlone = listening.length === 0;
  untilStopped({
    // The end of the pipe is the end of all of it: what listens beside it drains too.
    ...(pipe === undefined ? { parts: listening } : { parts: [...listening, pipe], ended: pipe.closed }),
    gone: () => links.gone(),
    needsParent: isAlone,
    exitCode: () => (isAlone && isLost ? 1 : 0),
  });
  for (const { url } of listening) process.stderr.write(`listening ${url}\n`);
}

function tell({ code, message }: Fault): void {
  if (losses.has(code)) isLost = true;
  process.stderr.write(`${code}: ${message}\n`);
}
