/** What windows post in addition to what `fromMessages` posts: objects with a member `rxmcp`, as there. */
export interface ControlMessage {
  readonly rxmcp: 'connect' | 'hello' | 'rejected' | 'bye';
}

/** Asks a window for a connection over the port that comes with it. */
export const connectMessage: ControlMessage = Object.freeze({ rxmcp: 'connect' });
/** The window's response, over that port. */
export const acceptMessage: ControlMessage = Object.freeze({ rxmcp: 'hello' });
/** The window's response where it serves no more connections, and why. */
export interface RejectedMessage extends ControlMessage {
  readonly rxmcp: 'rejected';
  readonly message: string;
}
/** The close message of `fromMessages`, over a port that no connection uses. */
export const closeMessage: ControlMessage = Object.freeze({ rxmcp: 'bye' });

/** Whether what came over a port is this word. */
export function isControlMessage(data: unknown, word: ControlMessage['rxmcp']): boolean {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'rxmcp')) return false;
  return (data as { rxmcp: unknown }).rxmcp === word;
}
