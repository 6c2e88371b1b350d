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
export const askedSince: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', '2024-11-05'],
  ['roots/list', '2024-11-05'],
  ['elicitation/create', '2025-06-18'],
]);

/** Whether a server of this revision may send this request. */
export function mayAsk(version: string, method: string): boolean {
  const since = askedSince.get(method);
  return since === undefined || version >= since;
}
