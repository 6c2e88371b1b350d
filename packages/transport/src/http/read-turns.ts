import { nextTurn } from '../base/loop-turns.js';

/** How many bytes of responses are read, and parsed, in one turn of the event loop before the rest waits for the next turn. */
const turnBytes = 2 * 1024 * 1024;

/** What an event of a stream counts for besides its bytes: where it cannot be read, its errors and their stacks take as long. */
const eventBytes = 8 * 1024;
/** As many bytes of a stream are parsed at once. They may be 64 events of which none can be read. */
const pieceBytes = 512;

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

/** Counts an event of a stream that was read, or with 0 bytes the fault of one. */
export function countEvent(bytes: number): void {
  readBytes += bytes + eventBytes;
}

/** Passes a chunk of a stream of events on in pieces, each in a turn that has room for it. */
export async function takePieces(chunk: Uint8Array, take: (piece: Uint8Array) => void): Promise<void> {
  await readTime(chunk.length);
  for (let from = 0; from < chunk.length; from += pieceBytes) {
    if (readBytes >= turnBytes) await readTime(0);
    take(chunk.subarray(from, from + pieceBytes));
  }
}

function begin(resolve: () => void): void {
  nextTurn(() => {
    readBytes = 0;
    next = undefined;
    resolve();
  });
}
