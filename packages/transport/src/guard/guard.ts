import { createHostCheck, createOriginCheck, type RequestHead } from './host-and-origin.js';
import { rejectRenamedOptions } from '../renamed-options.js';

/** Says who calls, or refuses. May look at anything of the head; a throw refuses with 500. */
export type Authenticator = (head: RequestHead) => AuthenticationResult | Promise<AuthenticationResult>;

/** What {@link Authenticator} found. `challenge` is the value of `WWW-Authenticate`. */
export type AuthenticationResult =
  | { readonly principal: string }
  | { readonly status: 401 | 403; readonly challenge?: string; readonly message?: string };

/** Options that every serving side takes. */
export interface GuardOptions {
  /** The names that this listener answers to; one without a port means any port. @default localhost, 127.0.0.1 and [::1] */
  readonly allowedHosts?: readonly string[];
  /** The browser origins that may call. Requests without an Origin pass. @default http and https of the loopback names, any port */
  readonly allowedOrigins?: readonly string[];
  /** Says who calls. @default nobody is asked, every caller is anonymous */
  readonly authenticate?: Authenticator;
}

/** The answer to a request that may not go on. */
export interface GuardDenied {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: string;
}

/** The request may go on. */
export interface GuardAllowed {
  readonly principal: string | undefined;
}

/** Looks at a request before anything runs. Tell the answers apart with `'status' in answer`. Never throws or rejects. */
export type Guard = (head: RequestHead) => GuardAllowed | GuardDenied | Promise<GuardAllowed | GuardDenied>;

/** How long `authenticate` may take before the request is refused. */
const authenticateWithinMs = 10_000;

/**
 * Makes the guard that stands before every route: Host, then Origin, then who calls. A preflight (`OPTIONS`) is asked for
 * its Host only, since it carries no credentials and its answer says who may come.
 * Throws a TypeError for a host or an origin that is none. MCP 2026-07-28, transports, streamable HTTP, security.
 */
export function guard(options: GuardOptions): Guard {
  rejectRenamedOptions('guard', options, { hosts: 'allowedHosts', origins: 'allowedOrigins' });
  const { allowedHosts, allowedOrigins, authenticate } = options;
  const host = createHostCheck(allowedHosts);
  const origin = createOriginCheck(allowedOrigins);
  return (head) => {
    const refusal = host(head) ?? (head.method === 'OPTIONS' ? undefined : origin(head));
    if (refusal !== undefined) return { ...refusal, headers: none };
    if (authenticate === undefined || head.method === 'OPTIONS') return anonymous;
    try {
      const found = authenticate(head);
      return 'then' in found ? inTime(found) : answerTo(found);
    } catch {
      return failed;
    }
  };
}

const none = Object.freeze({});
const anonymous: GuardAllowed = Object.freeze({ principal: undefined });
// What went wrong is nobody's business outside, and may hold a token.
const failed: GuardDenied = { status: 500, headers: none, message: 'who calls could not be found out' };
const late: GuardDenied = { status: 503, headers: { 'retry-after': '5' }, message: failed.message };

function answerTo(found: AuthenticationResult): GuardAllowed | GuardDenied {
  if ('principal' in found) return typeof found.principal === 'string' ? found : failed;
  const { status, challenge = status === 401 ? 'Bearer' : undefined } = found;
  if (status !== 401 && status !== 403) return failed;
  const message =
    found.message ?? (status === 401 ? 'credentials are needed' : 'these credentials do not suffice');
  // A challenge made of what came in must not make headers of its own.
  const safe = challenge !== undefined && /^[\t\x20-\x7e]+$/.test(challenge);
  return { status, headers: safe ? { 'www-authenticate': challenge } : none, message };
}

function inTime(found: Promise<AuthenticationResult>): Promise<GuardAllowed | GuardDenied> {
  return new Promise((resolve) => {
    const alarm = setTimeout(() => resolve(late), authenticateWithinMs);
    const settle = (answer: GuardAllowed | GuardDenied): void => {
      clearTimeout(alarm);
      resolve(answer);
    };
    found.then(answerTo).then(settle, () => settle(failed));
  });
}
