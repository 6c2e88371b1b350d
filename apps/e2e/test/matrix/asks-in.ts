import type { JsonObject } from 'rxmcp';

/** The methods that a server asked its client for: as requests of its own, or inside results that need input. */
export function asksIn(received: readonly JsonObject[]): unknown[] {
  return received.flatMap(({ id, method, result }) => {
    if (id !== undefined && method !== undefined) return [method];
    const wanted =
      (result as { inputRequests?: Record<string, JsonObject> } | undefined)?.inputRequests ?? {};
    return Object.values(wanted).map((question) => question['method']);
  });
}
