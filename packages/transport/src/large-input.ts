/** A shorter message is handled as soon as it is read: it takes no time that others could notice. */
export const largeChars = 64 * 1024;

/** A chunk of at least so many bytes may be one of many that the system has for its socket. */
export const largeChunkBytes = 16 * 1024;

/** As it was when this was loaded: a test that replaces timers must not stop it. */
const { setImmediate: immediate } = globalThis as { setImmediate?: (callback: () => void) => void };

let last = Promise.resolve();

/**
 * Handles a chunk from a server, a large one in a turn of the event loop of its own, so that timers and other connections have theirs
 * between two large messages. In browsers it is handled at once, since their shortest timer would be noticed. A server has `loopTurns`
 * for its many clients.
 */
export function inOwnTurn(chunk: Uint8Array, take: (chunk: Uint8Array) => void): Promise<void> | void {
  if (immediate === undefined || chunk.length < largeChunkBytes) return take(chunk);
  last = last.then(() => new Promise(immediate));
  return last.then(() => take(chunk));
}
