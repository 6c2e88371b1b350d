import { loadHttp, loadStdio } from '#programs';
import type { ConnectionHandler, ServeHandle } from '@rxmcp/transport';
import { rejectUnknownOptions } from '@rxmcp/core/internal';
import type { ServeHttpOptions } from '@rxmcp/http/node';

/** Options of {@link serve}. */
export interface ServeOptions {
  /** Options of `serveHttp`, such as `auth`. A port chooses HTTP; command line and environment win over it. @default {} */
  readonly http?: ServeHttpOptions;
  /** The command line, without the program. @default process.argv.slice(2) */
  readonly argv?: readonly string[];
  /** The environment. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What is used of `process`, so that the types do not need those of Node.js. */
interface NodeProcess {
  readonly versions: { readonly node: string };
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: { readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown };
  once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/**
 * Serves one server in the way that its starter chooses (Node.js only): over Streamable HTTP with `--http [PORT]`,
 * `MCP_TRANSPORT=http` or a port in the options, otherwise over stdio. The port is that of the flag, of `PORT`, of the options, or 3000. Over HTTP it prints
 * `listening <url>` to stderr, and SIGINT or SIGTERM drain it. Over stdio on a terminal it prints how to start it.
 *
 * @returns a handle that ends what is served; `url` is undefined over stdio
 * @throws TypeError for an unknown transport or an invalid port; what `serveHttp` and `serveStdio` reject with
 */
export async function serve(
  server: ConnectionHandler,
  options: ServeOptions = {},
): Promise<ServeHandle & { readonly url: string | undefined }> {
  rejectUnknownOptions(
    'serve',
    options,
    { http: true, argv: true, env: true } satisfies Record<keyof ServeOptions, true>,
    inHttp,
  );
  rejectDescription(server);
  const { process } = globalThis as unknown as { process: NodeProcess };
  rejectOldNode(process);
  const { argv = process.argv.slice(2), env = process.env } = options;
  const port = httpPort(argv, env, options.http?.port);
  if (port === undefined) {
    if (process.stdin.isTTY === true) process.stderr.write(stdioHint);
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

// On a terminal the program would look as if it hung.
const stdioHint =
  'serving MCP over stdio: waiting for a client that starts this program. For HTTP, start it with --http [PORT]\n';

function rejectDescription(server: unknown): void {
  if (typeof (server as Partial<ConnectionHandler> | null | undefined)?.accept === 'function') return;
  throw new TypeError(
    `serve needs a server, as in serve(createServer({ name: 'my-app', version: '1.0.0', tools: [...] }))`,
  );
}

/** As `engines` of the package.json says. */
const oldestNode = '20.19';

// An older one fails with an error that names no cause. A browser has no process, and an error of its own.
function rejectOldNode(process: NodeProcess | undefined): void {
  const { node } = process?.versions ?? {};
  if (node === undefined || node.localeCompare(oldestNode, undefined, { numeric: true }) >= 0) return;
  throw new Error(`serve needs Node.js ${oldestNode} or newer, this is ${node}. Update Node.js`);
}

const inHttp = {
  auth: 'http: { auth }',
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
  const at = argv.findIndex((arg) => /^--http(=|$)/.test(arg));
  const other = given === undefined ? 'stdio' : 'http';
  const chosen = at >= 0 ? 'http' : argv.includes('--stdio') ? 'stdio' : (env['MCP_TRANSPORT'] ?? other);
  if (chosen === 'stdio') return undefined;
  if (chosen !== 'http')
    throw new TypeError(`serve: MCP_TRANSPORT "${chosen}" is unknown. Use "stdio" or "http"`);
  const next = at < 0 ? undefined : argv[at] === '--http' ? argv[at + 1] : argv[at]?.slice('--http='.length);
  const text = next !== undefined && !next.startsWith('-') ? next : (env['PORT'] ?? String(given ?? 3000));
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new TypeError(`serve: "${text}" is not a port. Use a number from 0 to 65535`);
  return port;
}
