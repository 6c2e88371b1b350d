import { detectEra, isBatch } from '@rxmcp/jsonrpc/internal';
import type { ReceiveInfo } from '@rxmcp/transport';
import type { EraConnection } from '../served.js';

/** Methods that this era does not have. All others can be offered. */
const foreign = new Set(['server/discover', 'subscriptions/listen']);

/** Whether a server may offer this method to a client of this era. */
export function has(method: string): boolean {
  return !foreign.has(method);
}

/** Whether a revision has batches. */
export function hasBatches(version: string): boolean {
  return version === '2025-03-26';
}

/** Whether progress of a revision has a message. */
export function hasProgressText(version: string): boolean {
  return version >= '2025-03-26';
}

/** The first revision in which a server may send each ask. */
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

/** Whether a server accepts this batch. */
export function takesBatch(
  { legacy, traits, versions }: EraConnection,
  entries: readonly unknown[],
  receiveInfo: ReceiveInfo | undefined,
): boolean {
  // Without a session only the transport knows the revision. If it names none, it accepts only batches of such a revision.
  const version = receiveInfo?.version;
  const isAlone =
    legacy === undefined &&
    traits.idScope === 'lane' &&
    versions.legacy.some(hasBatches) &&
    (version === undefined || hasBatches(version));
  return (isAlone || hasBatches(legacy?.version ?? '')) && isPlain(entries);
}

/**
 * Whether a batch has 1 to 100 messages, and none of them is a batch, an `initialize` or of the other era. Each
 * counts as a message of its own.
 * @see Spec 2025-03-26 basic#batching
 */
export function isPlain(entries: readonly unknown[]): boolean {
  const fits = entries.length > 0 && entries.length <= maxEntries;
  return fits && detectEra(entries) === 'unknown' && !entries.some(isBatch);
}
