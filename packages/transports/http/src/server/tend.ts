import { eventText } from '@rxmcp/jsonrpc';
import type { Ring } from './ring.js';
import type { EventStream } from './stream.js';

/**
 * Looks after all streams that are read: lets go who came back to nothing new, and shows the others that they live. Gives in how
 * many ticks to look again, `Infinity` where there is none.
 */
export function tend(streams: Ring<EventStream>, tick: number, keepAliveTicks: number): number {
  const leftOf = (stream: EventStream): number => keepAliveTicks - (tick - stream.lastTick);
  const dueIn = (): number => {
    let due = Infinity;
    streams.each((stream) => (due = Math.min(due, stream.early === undefined ? leftOf(stream) : 1)));
    return due;
  };
  streams.each((stream) => stream.tire(tick));
  const due = dueIn();
  if (due > 0) return due;
  // Those that have waited for half their time go with it, so that one look comes to serve all.
  streams.each((stream) => {
    if (leftOf(stream) <= keepAliveTicks / 2) stream.keepAlive(tick);
  });
  return dueIn();
}

/** How long who comes back to nothing new finds the stream open: more than one second, at most two. */
export const earlyTicks = 2;

/** The event that a stream begins with, so that its reader has an id to come back with, and knows when. */
export function primer(id: string, pollMs: number | undefined): string {
  return eventText({ id, data: '', ...(pollMs === undefined ? {} : { retry: pollMs }) });
}

/** Whether the readers of a stream are let go as soon as they have what there is. */
export function polls({ host, resumable }: Pick<EventStream, 'host' | 'resumable'>): boolean {
  return host.shared.bounds.pollMs !== undefined && resumable?.primes === true;
}
