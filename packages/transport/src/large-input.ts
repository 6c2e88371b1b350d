/** A shorter message is handled as soon as it is read: it takes no time that others could notice. */
export const largeChars = 64 * 1024;

/** A chunk of at least so many bytes may be one of many that the system has for its socket. */
export const largeChunkBytes = 16 * 1024;

/** As it was when this was loaded: a test that replaces timers must not stop it. */
const { setImmediate: immediate } = globalThis as { setImmediate?: (callback: () => void) => void };

let last = Promise.resolve();

/**
 * Handles input of a server, where it is large in a turn of the event loop of its own, so that timers and other connections have theirs
 * between two large messages. In browsers it is handled at once, since their shortest timer would be noticed. A server has `loopTurns`
 * for its many clients.
 *
 * @param size In bytes or characters.
 */
export function inOwnTurn(size: number, work: () => void): Promise<void> | void {
  if (immediate === undefined || size < largeChunkBytes) return work();
  last = last.then(() => new Promise(immediate));
  return last.then(work);
}
