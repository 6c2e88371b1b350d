import process from 'node:process';
import type { Server } from 'rxmcp';
import { jwt, type ResourceServer, resourceServer } from 'rxmcp/auth/server';
import { serveStdio } from 'rxmcp/stdio';
import type { ServeHandle } from 'rxmcp/transport';
import { bearer } from 'rxmcp/transport/guard';
import type { AuthArguments, Invocation } from './arguments.js';
import { readArguments, textToPrint } from './arguments.js';
import { demoServer } from './demo-server.js';
import { serveWith } from './listen/custom-transport.js';
import type { Certificate } from './listen/listener.js';
import { openListeners } from './listen/listener.js';
import { readCertificate } from './listen/read-certificate.js';
import { faultLines, safeLine, rateLimited } from './fault-log.js';
import { usage, UsageError } from './usage.js';

const signals = { SIGTERM: 143, SIGINT: 130 } as const;

// The reader of standard error may close it first: writes then fail, which must not end the process.
process.stderr.on('error', () => undefined);

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError && error.isForm) console.error(usage);
  // The reason comes last: clients show the last line of a server that ends immediately.
  console.error(safeLine(reasonOf(error)));
  // A missing folder and an unknown protocol revision are wrong arguments too.
  const isUsage = error instanceof UsageError || error instanceof TypeError || isNoFolder(error);
  process.exitCode = isUsage ? 2 : 1;
}

async function main(args: readonly string[]): Promise<void> {
  const text = textToPrint(args);
  if (text !== undefined) return void process.stdout.write(`${text}\n`);
  const invocation = readArguments(args, process.env);
  const tls = invocation.tls === undefined ? undefined : await readCertificate(invocation.tls);
  const server = await demoServer(invocation.server);
  const tell = rateLimited((line) => void process.stderr.write(line));
  server.faults$.subscribe((fault) => tell(faultLines(fault)));
  await serve(server, invocation, tls);
}

async function serve(server: Server, invocation: Invocation, tls: Certificate | undefined): Promise<void> {
  const { stdio, ports, transport, tokens, auth } = invocation;
  if (Object.keys(ports).length === 0 && transport === undefined) {
    serveStdio(server);
    return;
  }
  const custom = transport === undefined ? undefined : await serveWith(transport, server);
  const listeners = await openListeners(server, ports, {
    tls,
    healthy: () => server.health(),
    ...(tokens === undefined ? {} : { authenticate: bearer(tokens) }),
    ...(auth === undefined ? {} : { auth: protecting(auth) }),
  }).catch(async (error: unknown) => {
    await custom?.close();
    throw error;
  });
  // The process ends with the last of them, which standard input does not know.
  const pipe = stdio ? serveStdio(server, { exitOnDisconnect: false }) : undefined;
  untilStopped(
    [...listeners, custom, pipe].filter((part) => part !== undefined),
    pipe?.closed,
  );
  const urls = [
    ...listeners.flatMap((each) => each.urls),
    ...(custom === undefined ? [] : [custom.url ?? transport]),
  ];
  for (const url of urls) process.stderr.write(`listening ${url}\n`);
}

/** Returns what protects the endpoint at a URL. One verifier has the keys for all of them. */
function protecting({ issuer, audience, scopes }: AuthArguments): (url: string) => ResourceServer {
  const verify = jwt({ issuer, ...(audience === undefined ? {} : { audience }) });
  return (resource) => resourceServer({ resource, authorizationServers: [issuer], verify, scopes });
}

function reasonOf(error: unknown): string {
  if (isNoFolder(error)) return `there is no folder ${JSON.stringify(error.path)}`;
  return error instanceof Error ? error.message : String(error);
}

function isNoFolder(error: unknown): error is NodeJS.ErrnoException {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/**
 * Ends the process with exit code 0 after a signal, once running work is done, at most 25 s later. A second signal ends it
 * immediately. `ended` stops it as a signal does.
 */
function untilStopped(parts: readonly ServeHandle[], ended: Promise<void> | undefined): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void Promise.all(parts.map((part) => part.drain())).then(() => process.exit(0));
  };
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      if (stopping) process.exit(code);
      stop();
    });
  }
  void ended?.then(stop);
}
