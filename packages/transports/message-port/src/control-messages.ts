/**
 * The control messages between the two sides, in addition to JSON-RPC messages. They are objects with a member `rxmcp`, so that no
 * JSON-RPC message is mistaken for one.
 */
export interface ControlMessage {
  readonly rxmcp: 'connect' | 'hello' | 'read' | 'bye';
  /** Of `read`: how many more messages were read. The other side may send as many. */
  readonly messages?: number;
}

/** Asks a window for a connection over the port that comes with it. */
export const connectMessage: ControlMessage = Object.freeze({ rxmcp: 'connect' });
/** The window's answer, over that port. */
export const acceptMessage: ControlMessage = Object.freeze({ rxmcp: 'hello' });
/** Nothing follows from the side that says this. */
export const closeMessage: ControlMessage = Object.freeze({ rxmcp: 'bye' });

/** So many more messages were read. */
export function readReceipt(messages: number): ControlMessage {
  return { rxmcp: 'read', messages };
}

/** Whether what came over a port is this word. */
export function isControlMessage(data: unknown, word: ControlMessage['rxmcp']): boolean {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'rxmcp')) return false;
  return (data as { rxmcp: unknown }).rxmcp === word;
}

/** How many messages the other side says to have read; 0 where it says no such thing. */
export function readCount(data: unknown): number {
  if (!isControlMessage(data, 'read')) return 0;
  const { messages } = data as { messages?: unknown };
  return Number.isSafeInteger(messages) && (messages as number) > 0 ? (messages as number) : 0;
}
