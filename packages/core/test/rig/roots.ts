import type { MethodOffer } from '../../src/contract/offer.js';
import { defineOffer } from '../../src/internal.js';

/** What a client offers that answers a server's question for its roots. */
export function roots(handle: MethodOffer['handle']): ReturnType<typeof defineOffer> {
  return defineOffer({
    name: 'roots',
    side: 'client',
    capabilities: { roots: {} },
    methods: [{ method: 'roots/list', handle }],
  });
}
