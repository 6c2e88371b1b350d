import type { IntrusiveList } from '../intrusive-list.js';
import type { EventStream } from './event-stream.js';

/**
 * Maintains all streams with a reader: ends polls without new events, and sends keep-alives to the others. Returns in how many
 * ticks to run again, `Infinity` where no stream has a reader.
 */
export function maintainStreams(
  streams: IntrusiveList<EventStream>,
  tick: number,
  keepAliveTicks: number,
): number {
  const leftOf = (stream: EventStream): number => keepAliveTicks - (tick - stream.lastTick);
  const dueIn = (): number => {
    let due = Infinity;
    streams.each((stream) => (due = Math.min(due, stream.early === undefined ? leftOf(stream) : 1)));
    return due;
  };
  streams.each((stream) => stream.endEmptyPoll(tick));
  const due = dueIn();
  if (due > 0) return due;
  // Streams in the second half of their interval receive one too, so that one pass serves all of them.
  streams.each((stream) => {
    if (leftOf(stream) <= keepAliveTicks / 2) stream.keepAlive(tick);
  });
  return dueIn();
}
