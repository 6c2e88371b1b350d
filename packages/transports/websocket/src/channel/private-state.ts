import type { Duplex, Writable } from 'node:stream';
import type { WebSocket } from 'ws';

// What neither `ws` nor Node has a public API for.

interface Receiver extends Writable {
  readonly _messageLength: number;
  readonly _bufferedBytes: number;
  readonly _fragments: readonly unknown[];
  readonly _mask: unknown;
}

function receiverOf(ws: WebSocket): Partial<Receiver> | undefined {
  return (ws as { _receiver?: Partial<Receiver> | null })._receiver ?? undefined;
}

/** Keeps the chunks that are read of a socket from being parsed. */
export function holdChunks(ws: WebSocket): void {
  const receiver = receiverOf(ws);
  if (receiver?.cork === undefined) return;
  receiver.cork();
  // A socket that ends meanwhile ends the receiver.
  receiver.end = () => {
    parseChunks(ws);
    return (receiver as Receiver).end();
  };
}

/** Parses what {@link holdChunks} has kept back. */
export function parseChunks(ws: WebSocket): void {
  const receiver = receiverOf(ws);
  if (receiver?.uncork === undefined) return;
  // A close frame ends the receiver. In Node.js 20 a stream that ends within `uncork` never finishes, and `ws` never closes.
  let hasEnded = false;
  receiver.end = () => {
    hasEnded = true;
    return receiver as Receiver;
  };
  receiver.uncork();
  delete receiver.end;
  if (hasEnded) receiverOf(ws)?.end?.();
}

/** Returns how much of a message `ws` has parsed. */
export function progressOf(
  ws: WebSocket,
  otherwise: number,
): { readonly read: number; readonly rest: number; readonly fragments: number } {
  const receiver = receiverOf(ws);
  const { _messageLength: read = 0, _bufferedBytes: rest = otherwise, _mask: mask } = receiver ?? {};
  const fragments = receiver?._fragments?.length ?? 0;
  // The mask of a frame whose payload is still to come is a part of the chunk as well.
  return { read, rest: mask === undefined ? rest : Math.max(rest, 1), fragments };
}

/** Returns how many bytes of a pending write libuv still holds. */
export function queuedBelow(stream: Duplex): number {
  const { _handle: handle } = stream as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? 0;
}
