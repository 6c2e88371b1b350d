import { isObject } from '@rxmcp/core/internal';
import type { Fetch } from '@rxmcp/transport';
import { hasCredentials, isLoopbackHost } from '@rxmcp/transport/internal';
import { readText } from '../base/read-text.js';
import { AuthError } from './errors.js';

const timeoutMs = 15_000;

/**
 * Sends a request to an address that another party named: `https:`, or this machine; no address of a private network
 * unless the server itself is in one; no redirects; at most 256 KiB within 15 s.
 * MCP 2025-11-25, basic, security best practices, server-side request forgery.
 */
export class GuardedFetch {
  constructor(
    private readonly fetch: Fetch,
    /** The server that is signed in to. */
    private readonly server: URL,
  ) {}

  /** Resolves with the response, read in full. Rejects with an AuthError. */
  readonly send = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const url = this.check(address);
    const limit = new AbortController();
    const alarm = setTimeout(() => limit.abort(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
    try {
      const request = { ...init, redirect: 'error', signal: limit.signal } as const;
      const answered = this.fetch(url.href, request).catch((cause: unknown) => {
        const code = systemCode(cause);
        if (code === undefined) throw cause;
        throw new AuthError('DISCOVERY_FAILED', `${url.origin} could not be reached (${code})`, { cause });
      });
      // A `fetch` of the program may ignore the signal.
      const late = new Promise<never>((_resolve, reject) => {
        limit.signal.addEventListener('abort', () => {
          reject(limit.signal.reason as Error);
          answered.then(({ body }) => body?.cancel()).catch(() => undefined);
        });
      });
      const { body, status, statusText, headers } = await Promise.race([answered, late]);
      const text = body === null ? '' : await readText(body, limit.signal, tooLarge);
      // A body is not allowed with these.
      return new Response(status === 204 || status === 304 ? null : text, { status, statusText, headers });
    } catch (cause) {
      if (AuthError.is(cause)) throw cause;
      throw new AuthError(
        'DISCOVERY_FAILED',
        `${url.origin} did not answer as expected at ${url.pathname}: try again, or check its address`,
        {
          cause,
        },
      );
    } finally {
      clearTimeout(alarm);
    }
  };

  /** Returns the same for an address that the program itself names, which may be of a private network. */
  for(address: string): GuardedFetch {
    return new GuardedFetch(this.fetch, new URL(address));
  }

  /** Resolves with a JSON object, or `undefined` where that address has none. */
  async json(address: string): Promise<Record<string, unknown> | undefined> {
    const response = await this.send(address, { headers: { accept: 'application/json' } });
    if (!response.ok) return undefined;
    const value: unknown = await response.json().catch(() => undefined);
    return isObject(value) ? value : undefined;
  }

  /** Returns the URL if requests may go there. Throws an AuthError. */
  check(address: string): URL {
    // Others are changed by URL parsers, and may be shown to a person as they are.
    if (!URL.canParse(address) || /[^!-~]/.test(address))
      throw new AuthError(
        'INSECURE_URL',
        `${this.server.origin} names an address that is not a URL: its operator must correct that`,
      );
    const url = new URL(address);
    if (hasCredentials(url))
      throw new AuthError(
        'INSECURE_URL',
        `${this.server.origin} names an address at ${url.origin} with credentials: its operator must remove them`,
      );
    const local = hostKind(url.hostname);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local === 'loopback'))
      throw new AuthError(
        'INSECURE_URL',
        `credentials are not sent to ${url.origin === 'null' ? url.protocol : url.origin}: use https:, except on this machine`,
      );
    if (local !== 'public' && hostKind(this.server.hostname) === 'public')
      throw new AuthError(
        'INSECURE_URL',
        `${this.server.origin} names ${url.origin}, an address of a private network, which is not asked: its operator must correct that`,
      );
    return url;
  }
}

function tooLarge(maxBytes: number): Error {
  return new Error(`the response is larger than ${maxBytes} bytes`);
}

/** The code of the system or of TLS, such as `ECONNREFUSED`. */
function systemCode(error: unknown): string | undefined {
  const { code } = Object((error as { cause?: unknown } | null)?.cause) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** IPv4: this network, private, shared, link-local, protocol assignments, benchmarks, multicast, reserved. RFC 6890. */
const privateIPv4 =
  /^(?:(?:0|10)\.|169\.254\.|192\.(?:168|0\.0)\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|198\.1[89]\.|2(?:2[4-9]|[3-5]\d)\.)/;
/** IPv6: unspecified, unique local, link-local, site-local, multicast, discard-only, and what holds an IPv4 address (compatible, mapped, NAT64, 6to4, Teredo). */
const privateIPv6 =
  /^(?:::(?:[\da-f]{1,4}(?::[\da-f]{1,4})?)?$|f[cdf]|fe[89a-f]|100::|2001:(?::|0:)|::ffff:|64:ff9b:(?::|1:)|2002:)/;

/** Names that public servers do not have, besides those of a single label. */
const privateName = /\.(?:local|localdomain|internal|intranet|private|lan|corp|home|svc|default|home\.arpa)$/;

/** What a name or an address alone shows, as `URL` writes it. */
export function hostKind(host: string): 'loopback' | 'private' | 'public' {
  const name = host.replace(/^\[|[\].]$/g, '').toLowerCase();
  if (isLoopbackHost(name) || name.endsWith('.localhost')) return 'loopback';
  // Any name may begin as an address does.
  const isPrivate = /^\d+(?:\.\d+){3}$/.test(name)
    ? privateIPv4.test(name)
    : name.includes(':')
      ? privateIPv6.test(name)
      : !name.includes('.') || privateName.test(name);
  return isPrivate ? 'private' : 'public';
}
