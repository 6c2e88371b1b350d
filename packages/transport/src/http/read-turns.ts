import type { SseReader } from '@rxmcp/jsonrpc/internal';
import { nextTurn } from '../base/loop-turns.js';

/** How many bytes of responses are read, and parsed, in one turn of the event loop before the rest waits for the next turn. */
const turnBytes = 2 * 1024 * 1024;
/** As much of one chunk of events is parsed before it is the turn of what else waits. */
const sliceBytes = 64 * 1024;
/** As many bytes of a chunk are parsed at once. They may be 64 events of which none can be read. */
const pieceBytes = 512;
/** What a line counts for besides its bytes. */
const lineBytes = 64;
/** What an event counts for besides its bytes: where it cannot be read, its errors and their stacks take as long. */
const eventBytes = 4 * 1024;

let readBytes = 0;
const waiting: { readonly bytes: number; resolve(): void }[] = [];

/**
 * Resolves once the turn of the event loop has room for bytes of a response that has arrived, and counts them: when they are read, and
 * again when the whole message is parsed. Without it Node passes on 2 MiB of each socket in one turn. Bytes are counted and not time,
 * so that a client on a busy machine reads as much in one turn.
 */
export function readTime(bytes: number): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push({ bytes, resolve }) === 1) turn();
  });
}

/** Counts an event of a stream that was read, or with 0 bytes the fault of one. */
export function countEvent(bytes: number): void {
  readBytes += bytes + eventBytes;
}

/** Parses a chunk of a stream of events in pieces, in turns with other streams and responses. */
export async function readPieces(reader: SseReader, chunk: Uint8Array): Promise<void> {
  for (let from = 0; from < chunk.length;) {
    await readTime(Math.min(sliceBytes, chunk.length - from));
    const endsAt = readBytes + sliceBytes;
    while (from < chunk.length && readBytes < endsAt) {
      const { lines } = reader;
      reader.push(chunk.subarray(from, (from += pieceBytes)));
      readBytes += pieceBytes + lineBytes * (reader.lines - lines);
    }
  }
}

/** Lets those continue who wait, in their order, while the turn has room. */
function turn(): void {
  for (let first; (first = waiting[0]) !== undefined;) {
    if (readBytes >= turnBytes) {
      nextTurn(() => {
        readBytes = 0;
        turn();
      });
      return;
    }
    waiting.shift();
    readBytes += first.bytes;
    first.resolve();
  }
}
