import { afterInput } from '../base/loop-turns.js';

/** How many bytes of responses are read, and parsed, in one turn of the event loop before the rest waits for the next turn. */
const turnBytes = 2 * 1024 * 1024;

/**
 * Divides the reading of responses into turns of the event loop. Without it Node passes on 2 MiB of each socket in one turn. Bytes are
 * counted and not time, so that a client on a busy machine reads as much in one turn.
 */
class ReadTurns {
  #bytes = 0;
  #next: Promise<void> | undefined;

  /** Whether responses have used up this turn. */
  get isOver(): boolean {
    return this.#bytes >= turnBytes;
  }

  /** Counts bytes: when they are read, and again when the whole of a message is parsed. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Resolves in the next turn, which others may use up before. */
  next(): Promise<void> {
    return (this.#next ??= new Promise((resolve) => {
      afterInput(() => {
        this.#bytes = 0;
        this.#next = undefined;
        resolve();
      }, 1);
    }));
  }
}

/** The turns of all responses in this process. */
export const readTurns = new ReadTurns();
