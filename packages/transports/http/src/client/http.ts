import { type DialOptions, notSentError, type Transport } from '@rxmcp/transport';
import {
  customHeaders,
  describeEndpoint,
  hasCredentials,
  isUnencryptedRemote,
  rejectUnknownOptions,
  untilAborted,
} from '@rxmcp/transport/internal';
import { HttpClientConnection } from './connection.js';
import type { HttpOptions } from './options.js';
import type { Timing } from './time/timing.js';

/**
 * Creates a transport to a server over Streamable HTTP, in every protocol revision. Dialling sends nothing: the first request shows
 * whether the server can be reached.
 * MCP 2026-07-28 and 2025-11-25, basic, transports, Streamable HTTP.
 * @throws TypeError for a URL that is not `http:` or `https:`, or contains credentials
 * @example
 * const remote = await client.connect(http('https://example.com/mcp', {
 *   headers: async () => ({ authorization: `Bearer ${await token()}` }),
 * }));
 */
export function http(url: string | URL, options: HttpOptions = {}): Transport {
  rejectUnknownOptions('http', options, knownOptions, alike);
  return createHttpTransport(parseEndpoint(url), options);
}

const knownOptions: Record<keyof HttpOptions, true> = {
  headers: true,
  auth: true,
  fetch: true,
  maxMessageBytes: true,
  maxResponseBytes: true,
  dangerouslyAllowInsecureCredentials: true,
};
const alike = {
  requestInit: 'headers',
  authProvider: 'auth',
};

/** {@link http} with times of its own. */
export function createHttpTransport(endpoint: URL, options: HttpOptions, timing?: Timing): Transport {
  return {
    name: `http ${describeEndpoint(endpoint)}`,
    ...(options.auth === undefined
      ? {}
      : { isWaiting: () => options.auth?.isWaiting(endpoint.href) === true }),
    async dial({ signal }: DialOptions = {}) {
      // Nothing is asked for where it cannot be rejected.
      const checked = isUnencryptedRemote(endpoint) ? customHeaders(endpoint, options) : undefined;
      await untilAborted(Promise.resolve(checked), signal, (cause) =>
        notSentError('DIAL_ABORTED', 'the dial was aborted', cause),
      );
      return new HttpClientConnection(endpoint, options, timing);
    },
  };
}

/** Parses the address of a server. Throws a TypeError for an invalid address, without its value, which may contain a secret. */
function parseEndpoint(url: string | URL): URL {
  let endpoint: URL;
  try {
    endpoint = new URL(url);
  } catch {
    throw new TypeError('the "url" of a server must be absolute');
  }
  if (endpoint.protocol !== 'http:' && endpoint.protocol !== 'https:')
    throw new TypeError(`the "url" of a server must begin with http: or https:, not ${endpoint.protocol}`);
  if (hasCredentials(endpoint))
    throw new TypeError('the "url" of a server must not hold credentials: pass them as a header');
  endpoint.hash = '';
  return endpoint;
}
