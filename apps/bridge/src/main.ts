import process from 'node:process';
import type { Fault } from 'rxmcp';
import { bridge } from 'rxmcp';
import { serveStdio, stdio } from 'rxmcp/stdio';
import type {
  ConnectionHandler,
  Connection,
  ServedConnection,
  ServeHandle,
  Transport,
} from 'rxmcp/transport';
import { transportFor } from 'rxmcp/url';
import { webSocket } from 'rxmcp/websocket/node';
import type { Invocation, ServerTarget } from './arguments.js';
import { readArguments, usage, UsageError } from './arguments.js';
import { openListeners } from './listeners.js';

const signals = { SIGTERM: 143, SIGINT: 130 } as const;
const everyMs = 500;
const orphanedMs = 200;

/** The faults of a server that was not reached, or is not there any more. */
const losses: ReadonlySet<string> = new Set([
  'CONNECTION_LOST',
  'DIAL_ABORTED',
  'DIAL_FAILED',
  'OVERFLOW',
  'SESSION_EXPIRED',
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
  const links = trackLinks(bridge(transportTo(server), { maxClients, onFault: tell }));
  const listening = await openListeners(links, invocation);
  const pipe = invocation.stdio ? serveStdio(links, { exitOnDisconnect: false }) : undefined;
  const isAlone = listening.length === 0;
  untilStopped({
    // The end of the pipe is the end of all of it: what listens beside it drains too.
    ...(pipe === undefined ? { parts: listening } : { parts: [...listening, pipe], ended: pipe.closed }),
    gone: () => links.closed(),
    needsParent: isAlone,
    exitCode: () => (isAlone && isLost ? 1 : 0),
  });
  for (const { url } of listening) process.stderr.write(`listening ${url}\n`);
}

function tell({ code, message }: Fault): void {
  if (losses.has(code)) isLost = true;
  process.stderr.write(`${code}: ${message}\n`);
}

/** What serves an acceptor, and knows which of its connections are not gone yet. */
interface Links extends ConnectionHandler {
  /** Resolves once all that was accepted is gone, and what is behind it: a child that is given its time, too. */
  closed(): Promise<void>;
}

/** Keeps the connections of an acceptor in mind until all that belonged to them is gone. */
function trackLinks(acceptor: ConnectionHandler): Links {
  const open = new Set<ServedConnection>();
  return {
    accept(connection: Connection) {
      const served = acceptor.accept(connection);
      open.add(served);
      void served.closed.then(() => open.delete(served));
      return served;
    },
    async closed() {
      await Promise.all([...open].map(({ closed }) => closed));
    },
  };
}

/** The transport to a server; what a command writes to its standard error is passed on. Throws where there can be none. */
function transportTo(server: ServerTarget): Transport {
  if ('command' in server)
    return stdio({ ...server, stderr: (line) => void process.stderr.write(`${line}\n`) });
  const { url, headers } = server;
  const { protocol, username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new UsageError('credentials do not belong into a URL: give them with --header or RXMCP_HEADERS');
  // One file for every platform would dial with the WebSocket that this Node may not have.
  return /^wss?:$/.test(protocol) ? webSocket(url, { headers }) : transportFor(url, { headers });
}

/** What ends, and how. */
interface RunningParts {
  readonly parts: readonly ServeHandle[];
  /** Resolves once nothing is left of what the parts accepted. */
  gone(): Promise<void>;
  /** Ends it as a signal does. */
  readonly ended?: Promise<void>;
  /** There is nothing to do without the parent process: it is looked for twice a second. */
  readonly needsParent: boolean;
  /** Of an end that was not forced. */
  exitCode(): number;
}

/**
 * Ends the process once it is told to stop, running work is done, 25 s later at most, and what is behind the bridge had its time
 * to end. Told a second time it ends at once, and kills what is left.
 */
function untilStopped({ parts, gone, ended, needsParent, exitCode }: RunningParts): void {
  let stopping = false;
  const stop = async (withinMs?: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await Promise.all(parts.map((part) => part.drain(withinMs === undefined ? {} : { timeoutMs: withinMs })));
    await gone();
    process.exit(exitCode());
  };
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      if (stopping) process.exit(code);
      void stop();
    });
  }
  void ended?.then(() => stop());
  if (!needsParent) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) void stop(orphanedMs);
  }, everyMs);
  watch.unref();
}
