import type { Relay } from '../relay/relay.js';

type Resources = () => readonly string[];

/** Handles, timers and sockets that keep the process alive; absent outside Node. Unref'd timers are counted separately. */
const resources = (globalThis as { process?: { getActiveResourcesInfo?: Resources } }).process
  ?.getActiveResourcesInfo;

/** How many handles of each kind are open. */
export type HandleCount = ReadonlyMap<string, number>;

/** Whether this runtime can count its handles. */
export const canCountHandles: boolean = resources !== undefined;

/** Counts the handles of each kind, without those of the kit's own waiting and of its relay. */
export function countHandles(relay?: Relay): HandleCount {
  const counts = new Map<string, number>();
  const count = (kind: string, by: number): unknown => counts.set(kind, (counts.get(kind) ?? 0) + by);
  for (const kind of resources?.() ?? []) if (kind !== 'Immediate') count(kind, 1);
  for (const kind of relay?.handles ?? []) count(kind, -1);
  return counts;
}

/** Names the kinds of which there are more than before, with their number. */
export function moreHandles(before: HandleCount, now: HandleCount): string[] {
  return [...now].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > 0 ? [`${String(more)} of ${kind} (now ${String(count)})`] : [];
  });
}
