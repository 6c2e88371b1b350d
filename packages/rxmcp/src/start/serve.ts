import type { ConnectionHandler, ServeHandle } from '@rxmcp/transport';
import { rejectUnknownOptions } from '@rxmcp/core/internal';
import type { ServeHttpOptions } from '@rxmcp/http/node';

/** Options of {@link serve}. */
export interface ServeOptions {
  /** Options of `serveHttp`, such as `authenticate`. Command line and environment win over its port. @default {} */
  readonly http?: ServeHttpOptions;
  /** The command line, without the program. @default process.argv.slice(2) */
  readonly argv?: readonly string[];
  /** The environment. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What is used of `process`, so that the types do not need those of Node.js. */
interface NodeProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr: { write(text: string): unknown };
  once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** Ends what {@link serve} serves. */
export interface ServerHandle extends ServeHandle {
  /** The URL over HTTP; undefined over stdio. */
  readonly url: string | undefined;
}

/**
 * Serves one server in the way that its starter chooses (Node.js only): over Streamable HTTP with `--http [PORT]` or
 * `MCP_TRANSPORT=http`, otherwise over stdio. The port is that of the flag, of `PORT`, or 3000. Over HTTP it prints
 * `listening <url>` to stderr, and SIGINT or SIGTERM drain it.
 *
 * @throws TypeError for an unknown transport or an invalid port; what `serveHttp` and `serveStdio` reject with
 */
export async function serve(server: ConnectionHandler, options: ServeOptions = {}): Promise<ServerHandle> {
  rejectUnknownOptions(
    'serve',
    options,
    { http: true, argv: true, env: true } satisfies Record<keyof ServeOptions, true>,
    inHttp,
  );
  const { loadHttp, loadStdio } = await import('#programs');
  const { process } = globalThis as unknown as { process: NodeProcess };
  const { argv = process.argv.slice(2), env = process.env } = options;
  const port = httpPort(argv, env, options.http?.port);
  if (port === undefined) {
    const { serveStdio } = await loadStdio();
    return Object.assign(serveStdio(server), { url: undefined });
  }
  const { serveHttp } = await loadHttp();
  const handle = await serveHttp(server, { ...options.http, port });
  process.stderr.write(`listening ${handle.url}\n`);
  const drain = (): void => void handle.drain();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, drain);
  return handle;
}

const inHttp = {
  authenticate: 'http: { authenticate }',
  port: 'http: { port }',
  host: 'http: { host }',
  path: 'http: { path }',
};

/** Returns the port to serve HTTP on; undefined for stdio. */
function httpPort(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  given: number | undefined,
): number | undefined {
  const at = argv.indexOf('--http');
  const chosen = at >= 0 ? 'http' : argv.includes('--stdio') ? 'stdio' : (env['MCP_TRANSPORT'] ?? 'stdio');
  if (chosen === 'stdio') return undefined;
  if (chosen !== 'http')
    throw new TypeError(`serve: MCP_TRANSPORT "${chosen}" is unknown. Use "stdio" or "http"`);
  const next = at >= 0 ? argv[at + 1] : undefined;
  const text = next !== undefined && !next.startsWith('-') ? next : (env['PORT'] ?? String(given ?? 3000));
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new TypeError(`serve: "${text}" is not a port. Use a number from 0 to 65535`);
  return port;
}
