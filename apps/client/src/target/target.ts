import { stdio } from 'rxmcp/stdio';
import type { Transport } from 'rxmcp/transport';
import { transportFor } from 'rxmcp/url';
import { webSocket } from 'rxmcp/websocket/node';
import { UsageError } from '../usage-error.js';
import type { HeaderSet } from './headers.js';
import { keptSignIn } from './sign-in.js';

/** Where a server is. */
export type Target =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | { readonly kind: 'url'; readonly url: string; readonly headers: HeaderSet };

/** Whether a word is a URL, not the name of a server. */
export function isUrl(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word);
}

/**
 * Returns the transport to a server. `said` receives each line that a started server writes to stderr, without the lines that it
 * repeats when it is restarted. Throws a UsageError for an invalid URL.
 */
export function transportTo(target: Target, said: (line: string) => void, env: NodeJS.ProcessEnv): Transport {
  if (target.kind === 'url') return atUrl(target.url, target.headers, env);
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

/**
 * Returns the transport for a URL: WebSocket, or Streamable HTTP with a fallback to HTTP+SSE. Throws a UsageError for
 * any other scheme, and for a URL with credentials, which would be visible in a list of processes.
 */
function atUrl(url: string, headers: HeaderSet, env: NodeJS.ProcessEnv): Transport {
  if (!URL.canParse(url)) throw new UsageError(`${JSON.stringify(url)} is not a valid URL`);
  const { protocol, username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new UsageError('a url must not contain credentials: pass them with --header');
  switch (protocol) {
    case 'ws:':
    case 'wss:':
      return webSocket(url, { headers });
    case 'http:':
    case 'https:':
      // Own credentials are used as they are.
      return new Headers(headers).has('authorization')
        ? transportFor(url, { headers })
        : transportFor(url, { headers, auth: keptSignIn(env) });
    default:
      throw new UsageError(`no transport for "${protocol}": use http, https, ws or wss`);
  }
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
