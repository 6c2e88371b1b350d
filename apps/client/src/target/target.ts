import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Transport } from 'rxmcp/transport';
import type { Program } from '../command.js';
import { didYouMean } from '@rxmcp/app-serving/nearest';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import type { HeaderSet } from './headers.js';

/** Where a server is. */
export type Target =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  /** A URL of HTTP, HTTP+SSE, WebSocket, or a socket. */
  | { readonly kind: 'url'; readonly url: string; readonly headers: HeaderSet }
  /** A file whose default export is a transport, or returns one. */
  | { readonly kind: 'module'; readonly file: string };

/** What distinguishes two targets, without secrets: of a command also its folder and its variables, which decide what it starts. */
export function targetIdentity(target: Target): string {
  if (target.kind === 'url') return JSON.stringify({ kind: target.kind, url: target.url });
  if (target.kind === 'module') return JSON.stringify({ ...target, file: resolve(target.file) });
  const { kind, command, args, cwd = '.', env = {} } = target;
  const variables = createHash('sha256')
    .update(JSON.stringify(Object.entries(env).sort()))
    .digest('hex');
  return JSON.stringify({ kind, command, args, cwd: resolve(cwd), variables });
}

/** Whether a word is a URL, not the name of a server. */
export function isUrl(word: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|tcp:|unix:)/i.test(word);
}

/**
 * Resolves with the transport to a server. `said` receives each line that a started server writes to stderr, without the lines that it
 * repeats when it is restarted. A `person` is offered to sign in where a server requires it. Only what the target needs is loaded. Rejects with a UsageError for an invalid target.
 */
export async function transportTo(
  target: Target,
  said: (line: string) => void,
  env: NodeJS.ProcessEnv,
  person?: Program,
): Promise<Transport> {
  if (target.kind === 'url') return atUrl(target.url, target.headers, env, person);
  if (target.kind === 'module')
    return (await import('@rxmcp/app-serving/custom-transport')).loadTransport(target.file);
  const { stdio } = await import('rxmcp/stdio');
  const { kind: _kind, ...launch } = target;
  const once = saidOnce(said);
  const transport = stdio({ ...launch, stderr: once.take });
  return {
    ...transport,
    dial(options) {
      once.again();
      return transport.dial(options);
    },
  };
}

/** Schemes of {@link atUrl}, as they are written. */
const schemes = ['http', 'https', 'ws', 'wss', 'sse+http', 'sse+https', 'tcp', 'unix'];

/**
 * Resolves with the transport for a URL: WebSocket; HTTP+SSE; Streamable HTTP with a fallback to HTTP+SSE; a socket. Rejects with a
 * UsageError for any other scheme, and for a URL with credentials, which would be visible in a list of processes.
 */
async function atUrl(
  url: string,
  headers: HeaderSet,
  env: NodeJS.ProcessEnv,
  person: Program | undefined,
): Promise<Transport> {
  const scheme = url.slice(0, Math.max(0, url.indexOf(':'))).toLowerCase();
  if (scheme === 'tcp' || scheme === 'unix') {
    if (Object.keys(headers).length > 0) throw new UsageError(`headers are not sent over ${scheme}:`);
    return (await import('./socket-url.js')).socketAt(url);
  }
  const web = url.replace(/^sse\+/i, '');
  if (!URL.canParse(web)) throw new UsageError(`${JSON.stringify(url)} is not a valid URL`);
  if (!schemes.includes(scheme)) {
    const hint = didYouMean(scheme, schemes);
    throw new UsageError(
      `no transport for "${scheme}:"${hint === '' ? `: use ${schemes.join(', ')}` : hint}`,
    );
  }
  const { username, password } = new URL(web);
  if (username !== '' || password !== '')
    throw new UsageError('a url must not contain credentials: pass them with --header');
  // Own credentials are used as they are.
  const { keptSignIn } = await import('./sign-in.js');
  const options = new Headers(headers).has('authorization')
    ? { headers }
    : { headers, auth: keptSignIn(env, person) };
  if (scheme.startsWith('ws')) return (await import('rxmcp/websocket/node')).webSocket(web, options);
  return scheme.startsWith('sse')
    ? (await import('rxmcp/sse')).sse(web, options)
    : (await import('rxmcp/url')).transportFor(web, options);
}

/** Passes on the lines of a program once: a restarted program begins with the same lines. */
interface SaidOnce {
  readonly take: (line: string) => void;
  /** The program is started, or started again. */
  again(): void;
}

/** Passes on lines, except those that a restarted program repeats. */
function saidOnce(tell: (line: string) => void): SaidOnce {
  let before: readonly string[] = [];
  let now: string[] = [];
  let repeats = false;
  return {
    take(line) {
      repeats &&= line === before[now.length];
      if (now.length < maxLines) now.push(line);
      if (!repeats) tell(line);
    },
    again() {
      [before, now, repeats] = [now, [], true];
    },
  };
}

/** More of a program's first lines are not remembered. */
const maxLines = 100;
