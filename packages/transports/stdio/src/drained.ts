import type { Readable } from 'node:stream';

const quietMs = 20;
const atMostMs = 1_000;

/**
 * Resolves when a pipe whose writer has ended is read to its end. A pipe that another process still holds open counts as
 * read when it has been quiet for 20 ms, or after a second.
 */
export function drained(stream: Readable | null): Promise<void> {
  if (stream === null || stream.readableEnded || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(quiet);
      clearTimeout(late);
      stream.off('data', restart);
      stream.off('close', done);
      stream.off('end', done);
      resolve();
    };
    let arrived = 0;
    // A busy process may find the timer due before it has read what waits: one round of I/O comes first.
    const settle = (): void => {
      const before = arrived;
      setImmediate(() => (arrived === before ? done() : undefined));
    };
    let quiet = setTimeout(settle, quietMs);
    const late = setTimeout(done, atMostMs);
    const restart = (): void => {
      arrived += 1;
      clearTimeout(quiet);
      quiet = setTimeout(settle, quietMs);
    };
    stream.on('data', restart);
    stream.on('close', done);
    stream.on('end', done);
  });
}
