import type { Offer } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';

/**
 * Declares that a server logs; what `ctx.log()` and emitted log records say then reaches the clients that asked for their
 * level. Without it nothing is sent.
 * Spec 2026-07-28 server/utilities/logging.
 */
export function offerLogging(): Offer {
  return defineOffer({ name: 'logging', side: 'server', capabilities: { logging: {} } });
}
