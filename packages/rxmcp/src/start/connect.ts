import { loadStdio, loadUrl } from '#programs';
import type { ClientOptions, ConnectOptions, Implementation, Remote, Server } from '@rxmcp/core';
import { defineClient } from '@rxmcp/core';
import { clientOptionNames, libraryVersion, rejectUnknownOptions, omitUndefined } from '@rxmcp/core/internal';
import type { Prompts, PromptsOf } from '@rxmcp/prompts';
import { prompts } from '@rxmcp/prompts';
import type { Resources } from '@rxmcp/resources';
import { resources } from '@rxmcp/resources';
import type { StdioOptions } from '@rxmcp/stdio';
import type { Tools, ToolsOf } from '@rxmcp/tools';
import { tools } from '@rxmcp/tools';
import type { Authorizer, Transport } from '@rxmcp/transport';
import type { TransportForOptions } from '../url.js';

/** A server to connect to: its URL, the program to start, or a transport. */
export type ConnectTarget = string | URL | StdioOptions | Transport;

/** Options of {@link connect}: those of `defineClient`, of its `connect`, and for a URL those of `transportFor`. */
export interface ConnectToOptions extends Partial<ClientOptions>, ConnectOptions, TransportForOptions {
  /** What the client calls itself. @default { name: 'rxmcp', version: the version of this package } */
  readonly info?: Implementation;
}

/** A remote with the primitives that most clients use. Others attach to it: `logging(remote)`. */
export interface ConnectedRemote<S extends Server = Server> extends Remote {
  readonly tools: Tools<ToolsOf<S>>;
  readonly resources: Resources;
  readonly prompts: Prompts<PromptsOf<S>>;
}

/**
 * Connects to a server: `defineClient(...).connect(transport)` with the transport that fits the target. With the type of the
 * server, as in `connect<typeof server>(url)`, the tools have its types.
 *
 * @param target - `http:`, `https:`, `ws:` or `wss:` URL; `{ command, args }` of a program that serves stdio (Node.js only); or a transport
 * @throws TypeError for any other target; what `client.connect` rejects with
 * @example
 * const remote = await connect('https://example.com/mcp');
 * const result = await remote.tools.call('greet', { name: 'Ada' });
 */
export async function connect<S extends Server = Server>(
  target: ConnectTarget,
  given: ConnectToOptions = {},
): Promise<ConnectedRemote<S>> {
  rejectUnknownOptions('connect', given, known, alike);
  const { signal, timeoutMs, onFault, headers, auth, fetch, ...others } = given;
  const { maxMessageBytes, dangerouslyAllowInsecureCredentials, ...options } = others;
  const transport = await transportOf(
    target,
    omitUndefined({ headers, auth, fetch, maxMessageBytes, dangerouslyAllowInsecureCredentials }),
  );
  const client = defineClient({ info: { name: 'rxmcp', version: libraryVersion }, ...options });
  const remote = await client.connect(transport, omitUndefined({ signal, timeoutMs, onFault }));
  return Object.assign(remote, {
    tools: tools<S>(remote),
    resources: resources(remote),
    prompts: prompts<S>(remote),
  });
}

const known: Record<keyof ConnectToOptions, true> = {
  signal: true,
  timeoutMs: true,
  onFault: true,
  headers: true,
  auth: true,
  fetch: true,
  maxMessageBytes: true,
  dangerouslyAllowInsecureCredentials: true,
  ...clientOptionNames,
};
const alike = {
  authProvider: 'auth',
  authorization: 'headers',
  token: 'headers',
  requestInit: 'headers',
  name: 'info: { name, version }',
  capabilities: 'offers',
};

// What a target does not need is not loaded.
async function transportOf(target: ConnectTarget, options: TransportForOptions): Promise<Transport> {
  if (typeof target === 'string' || target instanceof URL) {
    const url = urlOf(target);
    checkHeaders(options.headers);
    checkAuth(options.auth);
    const { transportFor } = await loadUrl();
    return transportFor(url, options);
  }
  if (typeof (target as Partial<Transport> | null | undefined)?.dial === 'function') {
    rejectUrlOptions(options, 'a transport', 'Pass it to the function that makes the transport');
    return target as Transport;
  }
  if (typeof (target as Partial<StdioOptions> | null | undefined)?.command === 'string') {
    rejectUrlOptions(
      options,
      'a program',
      'Pass what it needs next to "command": args, env, maxMessageBytes',
    );
    const { stdio } = await loadStdio();
    return stdio(target as StdioOptions);
  }
  throw new TypeError(`connect: expected a URL, { command, args } or a transport, got ${kindOf(target)}`);
}

// The members of a Headers are no properties: they would be lost.
function checkHeaders(headers: unknown): void {
  if (headers === undefined || typeof headers === 'function') return;
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers)
    throw new TypeError(
      `connect: "headers" must be a plain object, as in { headers: { authorization: 'Bearer ...' } }. Object.fromEntries makes one of Headers`,
    );
}

function checkAuth(auth: unknown): void {
  if (auth !== undefined && typeof (auth as Partial<Authorizer> | null)?.headers !== 'function')
    throw new TypeError(
      `connect: "auth" must be what oauth(...) of @rxmcp/auth returns. A token goes into { headers: { authorization: 'Bearer ...' } }`,
    );
}

// A target that ignored its credentials would fail later and elsewhere.
function rejectUrlOptions(options: TransportForOptions, target: string, fix: string): void {
  const [name] = Object.keys(options);
  if (name !== undefined)
    throw new TypeError(`connect: "${name}" is an option for a URL, not for ${target}. ${fix}`);
}

function kindOf(target: unknown): string {
  if (typeof target === 'object' && target !== null && 'url' in target)
    return 'an object with "url". Pass the URL itself, and options after it';
  if (typeof target !== 'object' || target === null) return String(target);
  return 'accept' in target
    ? 'a server. Serve it first: memory().serve(server)'
    : 'an object without "dial" and "command"';
}

const schemes = new Set(['http:', 'https:', 'ws:', 'wss:']);

function urlOf(target: string | URL): URL {
  const url = target instanceof URL ? target : URL.canParse(target) ? new URL(target) : undefined;
  if (url !== undefined && schemes.has(url.protocol)) return url;
  const text = String(target);
  throw new TypeError(
    /^[\w.-]+(:\d+)?(\/\S*)?$/.test(text) && !/\.[cm]?[jt]s$/.test(text)
      ? `connect: "${text}" is not a URL. Add the scheme and the path, as in "http://${text.replace(/\/.*/, '')}${/\/.*/.exec(text)?.[0] ?? '/mcp'}"`
      : `connect: "${text}" is not an http, https, ws or wss URL. To start a program, pass ${startOf(text)}`,
  );
}

// The program that a command line names, as connect takes it.
function startOf(line: string): string {
  const [command = 'node', ...args] =
    /\.[cm]?js$/.test(line) && !/\s/.test(line) ? ['node', line] : line.split(/\s+/);
  const quotedArgs = args.map((arg) => `'${arg}'`).join(', ');
  return `{ command: '${command}', args: [${quotedArgs}] }`;
}
