import { nextTurn } from '../base/loop-turns.js';

/** How many bytes of responses are read, and parsed, in one turn of the event loop before the rest waits for the next turn. */
const turnBytes = 2 * 1024 * 1024;

let readBytes = 0;
let next: Promise<void> | undefined;

/**
 * Resolves once the turn of the event loop has room for bytes of a response that has arrived, and counts them: when they are read, and
 * again when the whole message is parsed. Without it Node passes on 2 MiB of each socket in one turn. Bytes are counted and not time,
 * so that a client on a busy machine reads as much in one turn.
 */
export async function readTime(bytes: number): Promise<void> {
  // Others may use up the next turn.
  while (readBytes >= turnBytes) await (next ??= new Promise(begin));
  readBytes += bytes;
}

function begin(resolve: () => void): void {
  nextTurn(() => {
    readBytes = 0;
    next = undefined;
    resolve();
  });
}
