import type { HttpExchange } from '@rxmcp/transport/guard';

/** What fits into the buffers of the system needs no watching, which would cost a timer per request. */
const watchedBytes = 64 * 1024;

/** Cuts an exchange that has ended when its reader leaves what is owed to it unread for so long. */
export function watchRest(exchange: HttpExchange, stallMs: number): void {
  if (exchange.queuedBytes > watchedBytes) exchange.stallsAfter(stallMs);
}
