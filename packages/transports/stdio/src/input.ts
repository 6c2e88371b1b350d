import type { Readable } from 'node:stream';

/** What a carrier of lines reads. */
export interface Input {
  /** Begins to read: the first `length` bytes of a chunk, which is used again afterwards. `ended` may come more than once. */
  start(data: (chunk: Uint8Array, length: number) => void, ended: () => void): void;
  pause(): void;
  resume(): void;
  /** Reads no more, and leaves the rest to whoever wants it. */
  leave(): void;
}

/** Reads a stream. */
export function streamInput(stream: Readable): Input {
  let leave = (): void => undefined;
  return {
    start(data, ended) {
      const onData = (chunk: Uint8Array): void => data(chunk, chunk.length);
      for (const event of ends) stream.on(event, ended);
      // Before whoever came earlier and may throw.
      stream.prependListener('data', onData);
      if (stream.readableFlowing !== false) stream.resume();
      leave = () => {
        stream.off('data', onData);
        for (const event of ends) stream.off(event, ended);
      };
    },
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    leave() {
      leave();
      stream.pause();
    },
  };
}

const ends = ['end', 'close', 'error'] as const;
