import { eventText } from '@rxmcp/jsonrpc';
import type { Bounds } from './options.js';
import type { Resumable } from './stream-host.js';

/** How long who comes back to nothing new finds the stream open: more than one second, at most two. */
export const earlyTicks = 2;

/** The event that a stream begins with, so that its reader has an id to come back with, and knows when. */
export function primer(id: string, pollMs: number | undefined): string {
  return eventText({ id, data: '', ...(pollMs === undefined ? {} : { retry: pollMs }) });
}

/** Whether the readers of a stream are let go as soon as they have what there is. */
export function polls({
  host,
  resumable,
}: {
  readonly host: { readonly bounds: Bounds };
  readonly resumable: Resumable | undefined;
}): boolean {
  return host.bounds.pollMs !== undefined && resumable?.primes === true;
}
