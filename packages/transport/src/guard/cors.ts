import { createOriginMatcher, type RequestHead } from './host-and-origin.js';
import { rejectRenamedOptions } from '../base/check-options.js';

/** Options of {@link cors}. */
export interface CorsOptions {
  /** The origins whose pages may read responses, as browsers send them. There is no wildcard. */
  readonly allowedOrigins: readonly string[];
}

/** Returns the CORS headers of a response. */
export type CorsPolicy = (head: RequestHead) => Readonly<Record<string, string>>;

/**
 * Creates a policy that returns the CORS headers for the pages of the allowed origins. Answer every `OPTIONS` request with 204 and
 * these headers only, also where the origin is unknown and the headers allow nothing. It never sends a wildcard and never allows
 * credentials.
 * @throws TypeError for an invalid origin
 */
export function cors(options: CorsOptions): CorsPolicy {
  rejectRenamedOptions('cors', options, { origins: 'allowedOrigins' });
  const allows = createOriginMatcher(options.allowedOrigins);
  return (head) => {
    const [origin] = head.headerValues('origin');
    if (origin === undefined || !allows(origin)) return unknown;
    if (head.method !== 'OPTIONS') return { ...unknown, 'access-control-allow-origin': origin, ...exposed };
    const asked = head.headerValues('access-control-request-headers').join(',').split(',');
    // Tools may send parameters in headers, whose names the tools choose.
    const named = asked
      .map((name) => name.trim().toLowerCase())
      .filter((name) => /^mcp-param-[\w.!#$%&'*+^`|~-]+$/.test(name));
    return {
      vary: 'origin, access-control-request-headers',
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': [...taken, ...named.slice(0, 64)].join(', '),
      'access-control-max-age': '600',
    };
  };
}

const unknown = Object.freeze({ vary: 'origin' });
const exposed = Object.freeze({
  'access-control-expose-headers':
    'mcp-session-id, mcp-protocol-version, www-authenticate, dpop-nonce, retry-after',
});
const taken = [
  'accept',
  'authorization',
  'content-type',
  'dpop',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
];
