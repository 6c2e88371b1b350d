import { type DialOptions, isExposed, notSent, type Transport } from '@rxmcp/transport';
import { HttpConnection } from './connection.js';
import type { HttpOptions } from './options.js';
import type { Timing } from './time/timing.js';
import { untilAborted } from './time/until-aborted.js';
import { endpointOf, nameOf, ownHeaders } from './wire/endpoint.js';

/**
 * Speaks to a server over Streamable HTTP, in every protocol revision. Dialling sends nothing: the first request shows whether
 * the server can be reached. Throws a TypeError for what is no `http:` or `https:` address, or holds a credential.
 * MCP 2026-07-28 and 2025-11-25, basic, transports, Streamable HTTP.
 *
 * @example
 * const remote = await client.connect(http('https://example.com/mcp', {
 *   headers: async () => ({ authorization: `Bearer ${await token()}` }),
 * }));
 */
export function http(url: string | URL, options: HttpOptions = {}): Transport {
  return dialling(endpointOf(url), options);
}

/** {@link http} with times of its own. */
export function dialling(endpoint: URL, options: HttpOptions, timing?: Timing): Transport {
  return {
    name: `http ${nameOf(endpoint)}`,
    async dial({ signal }: DialOptions = {}) {
      // Nothing is asked for where it cannot be refused.
      const checked = isExposed(endpoint) ? ownHeaders(endpoint, options) : undefined;
      await untilAborted(Promise.resolve(checked), signal, (cause) =>
        notSent('DIAL_ABORTED', 'The dial was aborted.', cause),
      );
      return new HttpConnection(endpoint, options, timing);
    },
  };
}
