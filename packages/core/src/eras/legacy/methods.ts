import { detectEra, isBatch } from '@rxmcp/jsonrpc/internal';
import type { ReceiveInfo } from '@rxmcp/transport';
import type { ServingConnection } from '../served.js';

/** Requests of the primitives that this era does not know; everything else may be offered. */
const foreign = new Set(['server/discover', 'subscriptions/listen']);

/** Whether a server may offer this method to a client of this era. */
export function has(method: string): boolean {
  return !foreign.has(method);
}

/** Whether a revision has batches. */
export function hasBatches(version: string): boolean {
  return version === '2025-03-26';
}

/** Whether a revision has words in progress. */
export function hasProgressText(version: string): boolean {
  return version >= '2025-03-26';
}

/** Since which revision a server may ask for this. */
export const askRevisions: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', '2024-11-05'],
  ['roots/list', '2024-11-05'],
  ['elicitation/create', '2025-06-18'],
]);

/** Whether a server of this revision may send this request. */
export function mayAsk(version: string, method: string): boolean {
  const since = askRevisions.get(method);
  return since === undefined || version >= since;
}

const maxEntries = 100;

/** Whether a server takes this batch. */
export function takesBatch(
  { legacy, traits, versions }: ServingConnection,
  entries: readonly unknown[],
  arrival: ReceiveInfo | undefined,
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
  return fits && detectEra(entries) === 'unknown' && !entries.some(isBatch);
}
