import process from 'node:process';
import { serveWith } from '@rxmcp/app-serving/custom-transport';
import type { Serving } from '@rxmcp/app-serving/serving';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { jwt, type ResourceServer, resourceServer } from 'rxmcp/auth/server';
import { serveStdio } from 'rxmcp/stdio';
import { bearer } from 'rxmcp/transport/guard';
import { type AuthArguments, type Invocation, invocationOf } from './arguments.js';
import { demoServer } from './demo-server.js';
import { faultLines, rateLimited, safeLine } from './fault-log.js';
import { openListeners } from './listen/listener.js';
import { readCertificate } from './listen/read-certificate.js';
import type { ServeValues } from './options.js';
import { version } from './version.js';

/** A line that says why serving failed. */
export interface Failure {
  readonly reason: string;
  /** Whether the command line or the environment is wrong. */
  readonly isUsage: boolean;
}

/**
 * Serves a folder as the options say, and reports faults on standard error. Rejects with a UsageError for wrong options, and with the
 * errors that {@link failureOf} describes.
 */
export function serveFolder(
  values: ServeValues,
  folders: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Serving> {
  return openServer(invocationOf(values, folders, env, '.'));
}

/** Opens what a command line says. `exitsWithClient` is whether the process ends with a client that has no other next to it. */
export async function openServer(
  { server: described, stdio, ports, transport, tokens, auth, tls: files }: Invocation,
  { exitsWithClient = false }: { readonly exitsWithClient?: boolean } = {},
): Promise<Serving> {
  const tls = files === undefined ? undefined : await readCertificate(files);
  const server = await demoServer(described);
  const tell = rateLimited((line) => void process.stderr.write(line));
  server.faults$.subscribe((fault) => tell(faultLines(fault)));
  const custom = transport === undefined ? undefined : await serveWith('--transport', transport, server);
  const listeners = await openListeners(server, ports, {
    tls,
    healthy: () => server.health(),
    ...(tokens === undefined ? {} : { authenticate: bearer(tokens) }),
    ...(auth === undefined ? {} : { auth: protecting(auth) }),
  }).catch(async (error: unknown) => {
    await custom?.close();
    throw error;
  });
  const isAlone = listeners.length === 0 && custom === undefined;
  const pipe = stdio ? serveStdio(server, { exitOnDisconnect: exitsWithClient && isAlone }) : undefined;
  const parts = [...listeners, custom, pipe].filter((part) => part !== undefined);
  return {
    urls: [
      ...listeners.flatMap((each) => each.urls),
      ...(custom === undefined ? [] : [custom.url ?? transport ?? '']),
    ],
    ended: pipe?.closed,
    async drain(options) {
      await Promise.all(parts.map((part) => part.drain(options)));
    },
  };
}

/** Returns what protects the endpoint at a URL. One verifier has the keys for all of them. */
function protecting({ issuer, audience, scopes }: AuthArguments): (url: string) => ResourceServer {
  const verify = jwt({ issuer, ...(audience === undefined ? {} : { audience }) });
  return (resource) => resourceServer({ resource, authorizationServers: [issuer], verify, scopes });
}

/** Describes an error of {@link serveFolder}. */
export function failureOf(error: unknown): Failure {
  const missing = missingFolder(error);
  const text = error instanceof Error ? error.message : String(error);
  return {
    reason: safeLine(missing === undefined ? text : `there is no folder ${JSON.stringify(missing)}`),
    // A missing folder and an unknown protocol revision are wrong arguments too.
    isUsage: error instanceof UsageError || error instanceof TypeError || missing !== undefined,
  };
}

function missingFolder(error: unknown): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' ? path : undefined;
}

export { version };
