import { claimOf, isBatch } from '@rxmcp/jsonrpc';
import type { Arrival } from '@rxmcp/transport';
import type { Serving } from '../../server/serving.js';
import { hasBatches } from './methods.js';

const maxEntries = 100;

/** Whether a server takes this batch. */
export function takesBatch(
  { legacy, traits, versions }: Serving,
  entries: readonly unknown[],
  arrival: Arrival | undefined,
): boolean {
  // Without a session the carrier alone knows which revision is spoken; one that does not tell lets no other batches through.
  const told = arrival?.version;
  const isAlone =
    legacy === undefined &&
    traits.idScope === 'lane' &&
    versions.legacy.some(hasBatches) &&
    (told === undefined || hasBatches(told));
  return (isAlone || hasBatches(legacy?.version ?? '')) && isPlain(entries);
}

/**
 * Whether a batch is one of 1 to 100 messages, none of them a batch, an `initialize` or of the other era. Each of them is
 * counted as a message of its own. Spec 2025-03-26 basic#batching.
 */
export function isPlain(entries: readonly unknown[]): boolean {
  const fits = entries.length > 0 && entries.length <= maxEntries;
  return fits && claimOf(entries) === 'none' && !entries.some(isBatch);
}
