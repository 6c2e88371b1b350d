import type { DialOptions, Transport } from '@rxmcp/transport';
import { EitherConnection } from './either-connection.js';

/**
 * Dials `first`; a connection whose handshake is refused as no endpoint of its kind goes on over `second`. Once that went
 * well, later dials begin there, until such a dial fails.
 */
export function either(first: Transport, second: Transport): Transport {
  let older = false;
  return {
    name: first.name,
    async dial(options?: DialOptions) {
      if (older) {
        try {
          return await second.dial(options);
        } catch (error) {
          older = false;
          if (options?.signal?.aborted === true) throw error;
          // The server may have been replaced by a newer one since.
        }
      }
      return new EitherConnection(await first.dial(options), second, () => (older = true));
    },
  };
}
