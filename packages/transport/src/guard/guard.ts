import type { ClientAddress } from './client-address.js';
import { createHostCheck, createOriginCheck, type RequestHead } from './host-and-origin.js';
import { type CallerIdentity, isCallerIdentity } from '../credentials/caller-identity.js';
import { rejectRenamedOptions } from '../base/check-options.js';

/** Returns the caller of a request, or rejects the request. Where it throws, the request is rejected with 500. */
export interface Authenticator {
  /** @param clientAddress The option {@link GuardOptions.clientAddress}, for shares of clients that are not authenticated yet. */
  (head: RequestHead, clientAddress?: ClientAddress): AuthenticationResult | Promise<AuthenticationResult>;
  /**
   * Returns the `WWW-Authenticate` of a request that is rejected because its caller lacks some of these scopes.
   * @default the scheme `Bearer` with the scopes (RFC 6750)
   */
  readonly challengeFor?: (scopes: readonly string[]) => string | undefined;
}

/**
 * The result of an {@link Authenticator}. `challenge` is the value of `WWW-Authenticate`; `headers` are others, in lower case. 400 is
 * for malformed credentials, 503 for those that cannot be checked now; its response has `Retry-After`.
 */
export type AuthenticationResult =
  | CallerIdentity
  | {
      readonly status: 400 | 401 | 403 | 503;
      readonly challenge?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly message?: string;
    };

/** Options of every server transport that is reached over HTTP. */
export interface GuardOptions {
  /** The values of the `Host` header that are accepted; an entry without a port means any port. @default localhost, 127.0.0.1 and [::1] */
  readonly allowedHosts?: readonly string[];
  /** The browser origins that may call. Requests without an Origin pass. @default http and https of the loopback names, any port */
  readonly allowedOrigins?: readonly string[];
  /** Returns the caller of a request. @default every caller is anonymous */
  readonly authenticate?: Authenticator;
  /**
   * Returns the address of an anonymous caller, which its shares of sessions, memory, requests and events are counted for, and of a
   * client whose access token is being verified. Behind a reverse proxy all callers have the address of the proxy, and so one share
   * together: pass `forwardedAddress()`. A function that believes what clients write lets each of them take many shares.
   * @default the address of the socket
   */
  readonly clientAddress?: ClientAddress;
}

/** The response to a request that the guard rejects. */
export interface GuardDenied {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: string;
}

/** States that a request may continue, and its caller. */
export type GuardAllowed =
  | (CallerIdentity & { readonly address?: undefined })
  | ({ readonly [Member in keyof CallerIdentity]?: undefined } & {
      /** The address of an anonymous caller, as `clientAddress` has found it. */
      readonly address?: string | undefined;
    });

/**
 * Checks a request before anything runs. With a `caller`, `authenticate` is not called. Distinguish the results with
 * `'status' in result`. Never throws or rejects.
 */
export type Guard = (
  head: RequestHead,
  caller?: CallerIdentity,
) => GuardAllowed | GuardDenied | Promise<GuardAllowed | GuardDenied>;

/** Options of serving one request in an existing application. */
export interface IncomingRequestOptions {
  /**
   * The caller, where the application has authenticated it. `authenticate` is then not called; `Host` and `Origin` are still checked.
   * @default `authenticate` returns the caller
   */
  readonly caller?: CallerIdentity | undefined;
}

/** How long `authenticate` may take before the request is rejected with 503. */
const authenticateWithinMs = 10_000;

/**
 * Creates the guard of a route. It checks how the headers were received, then `Host`, then `Origin`, then the caller. Of a preflight
 * (`OPTIONS`) it checks only the first two, since a preflight carries no credentials and its response states which origins may call.
 * MCP 2026-07-28, transports, streamable HTTP, security.
 * @throws TypeError for an invalid host or origin
 */
export function guard(options: GuardOptions): Guard {
  rejectRenamedOptions('guard', options, { hosts: 'allowedHosts', origins: 'allowedOrigins' });
  const { allowedHosts, allowedOrigins, authenticate, clientAddress } = options;
  if (authenticate !== undefined && typeof authenticate !== 'function')
    throw new TypeError(
      `"authenticate" must be a function that returns { principal } or { status: 401 }, such as bearer({ ada: 'her token' })`,
    );
  if (clientAddress !== undefined && typeof clientAddress !== 'function')
    throw new TypeError(
      '"clientAddress" must be a function that returns an address, such as forwardedAddress()',
    );
  const host = createHostCheck(allowedHosts);
  const origin = createOriginCheck(allowedOrigins);
  return (head, caller) => {
    const rejection = head.denial ?? host(head) ?? (head.method === 'OPTIONS' ? undefined : origin(head));
    if (rejection !== undefined) return { headers: none, ...rejection };
    if (head.method === 'OPTIONS') return anonymous;
    if (caller !== undefined && caller !== null) return isCallerIdentity(caller) ? caller : invalidCaller;
    try {
      if (authenticate === undefined)
        return clientAddress === undefined ? anonymous : { address: clientAddress(head) };
      const found = authenticate(head, clientAddress);
      return isPromise(found) ? inTime(found) : toDecision(found);
    } catch {
      return failed;
    }
  };
}

const none = Object.freeze({});
const anonymous: GuardAllowed = Object.freeze({ principal: undefined });
// The response does not say what failed: the error may contain a token.
const failed: GuardDenied = { status: 500, headers: none, message: 'the caller could not be authenticated' };
const invalidCaller: GuardDenied = {
  status: 500,
  headers: none,
  message:
    'the "caller" of this request is invalid. Pass { principal, claims, scopes }: a string, an object, strings',
};
const late: GuardDenied = { status: 503, headers: { 'retry-after': '5' }, message: failed.message };

const invalidResult: GuardDenied = {
  status: 500,
  headers: none,
  message: 'the "authenticate" of this server must return { principal } or { status: 401 }',
};

function isPromise(found: ReturnType<Authenticator>): found is Promise<AuthenticationResult> {
  return typeof found === 'object' && 'then' in found;
}

function toDecision(found: AuthenticationResult): GuardAllowed | GuardDenied {
  if (typeof found !== 'object') return invalidResult;
  if ('principal' in found) return isCallerIdentity(found) ? found : invalidResult;
  const { status, challenge = status === 401 ? 'Bearer' : undefined } = found;
  if (!Object.hasOwn(messages, status)) return invalidResult;
  const message = found.message ?? messages[status];
  const headers: Record<string, string> = { ...found.headers, ...(status === 503 ? late.headers : none) };
  if (challenge !== undefined) headers['www-authenticate'] = challenge;
  // A value that contains request data must not inject headers.
  for (const name in headers) if (!/^[\t\x20-\x7e]+$/.test(headers[name] ?? '')) delete headers[name];
  return { status, headers, message };
}

const messages = {
  400: 'these credentials are malformed',
  401: 'credentials are needed',
  403: 'these credentials do not suffice',
  503: failed.message,
};

function inTime(found: Promise<AuthenticationResult>): Promise<GuardAllowed | GuardDenied> {
  return new Promise((resolve) => {
    const alarm = setTimeout(() => resolve(late), authenticateWithinMs);
    const settle = (decision: GuardAllowed | GuardDenied): void => {
      clearTimeout(alarm);
      resolve(decision);
    };
    found.then(toDecision).then(settle, () => settle(failed));
  });
}
