import { getHeapStatistics } from 'node:v8';

const most = 64 * 1024 * 1024;

/** What a listener may hold of all that it reads, in bytes, unless it is told: 64 MiB, at most an eighth of the heap. */
export function defaultBufferedBytes(): number {
  // What is read becomes text and values, several times as large.
  return Math.min(most, Math.floor(getHeapStatistics().heap_size_limit / 8));
}
