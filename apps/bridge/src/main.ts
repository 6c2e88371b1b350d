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
import { readArguments, textToPrint, usage, UsageError } from './arguments.js';
import { loadTransport } from './custom-transport.js';
import { openListeners } from './listeners.js';

const signals = { SIGTERM: 143, SIGINT: 130 } as const;
const everyMs = 500;
const orphanedMs = 200;

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
  if (error instanceof UsageError) console.error(usage);
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = isUsage ? 2 : 1;
}

async function serve(invocation: Invocation): Promise<void> {
  const { server, maxClients } = invocation;
  const links = trackLinks(bridge(await transportTo(server), { maxClients, onFault: tell }));
  const listening = await openListeners(links, invocation);
  const pipe = invocation.stdio ? serveStdio(links, { exitOnDisconnect: false }) : undefined;
  const isAlone = listening.length === 0;
  untilStopped({
    // When standard input ends, the listeners drain too.
    ...(pipe === undefined ? { parts: listening } : { parts: [...listening, pipe], ended: pipe.closed }),
    closed: () => links.closed(),
    needsParent: isAlone,
    exitCode: () => (isAlone && isLost ? 1 : 0),
  });
  for (const { url } of listening) process.stderr.write(`listening ${url}\n`);
}

function tell({ code, message }: Fault): void {
  if (losses.has(code)) isLost = true;
  process.stderr.write(`${code}: ${message}\n`);
}

/** A connection handler that tracks its open connections. */
interface Links extends ConnectionHandler {
  /** Resolves once all accepted connections are closed, and their servers too: a child process gets its time to end. */
  closed(): Promise<void>;
}

/** Tracks the connections of a handler until they are closed with their servers. */
function trackLinks(handler: ConnectionHandler): Links {
  const open = new Set<ServedConnection>();
  return {
    ...handler,
    accept(connection: Connection) {
      const served = handler.accept(connection);
      open.add(served);
      void served.closed.then(() => open.delete(served));
      return served;
    },
    async closed() {
      await Promise.all([...open].map(({ closed }) => closed));
    },
  };
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

/** The parts that end, and how. */
interface RunningParts {
  readonly parts: readonly ServeHandle[];
  /** Resolves once all connections that the parts accepted are closed. */
  closed(): Promise<void>;
  /** Ends it as a signal does. */
  readonly ended?: Promise<void>;
  /** Whether to stop when the parent process ends: that is checked twice a second. */
  readonly needsParent: boolean;
  /** The exit code of an end that was not forced. */
  exitCode(): number;
}

/**
 * Ends the process after a signal, once running work is done, at most 25 s later, and the servers behind the bridge had their time
 * to end. A second signal ends it immediately and kills child processes.
 */
function untilStopped({ parts, closed, ended, needsParent, exitCode }: RunningParts): void {
  let stopping = false;
  const stop = async (withinMs?: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await Promise.all(parts.map((part) => part.drain(withinMs === undefined ? {} : { timeoutMs: withinMs })));
    await closed();
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
