/** Methods that this era no longer has. They are unknown even if they are offered. */
const removed = new Set([
  'initialize',
  'ping',
  'resources/subscribe',
  'resources/unsubscribe',
  'logging/setLevel',
  'sampling/createMessage',
  'roots/list',
  'elicitation/create',
]);

/** Whether a server may offer this method to a client of this era. */
export function has(method: string): boolean {
  return !removed.has(method);
}

/**
 * Requests that may have an `input_required` result.
 * @see Spec 2026-07-28 basic/patterns/mrtr#supported-requests
 */
export const methodsThatMayAsk: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
]);

/** The asks that a server may send. */
export const askMethods: ReadonlySet<string> = new Set([
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
]);

/**
 * Requests whose complete results have cache hints.
 * @see Spec 2026-07-28 server/utilities/caching
 */
export const cacheableMethods: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);
