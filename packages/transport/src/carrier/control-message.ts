/**
 * What the two sides of {@link fromMessages} post in addition to JSON-RPC messages: JSON objects with a member `rxmcp` and without
 * a member `jsonrpc`.
 */
export type ControlMessage =
  /** So many more messages were read: the other side may send as many. */
  | { readonly rxmcp: 'read'; readonly messages: number }
  /** An orderly end: nothing follows from this side. The other side answers the same. */
  | { readonly rxmcp: 'bye' }
  /** An end with an error on this side, such as of a carrier that works in one direction only. */
  | { readonly rxmcp: 'lost' }
  /** A heartbeat. */
  | { readonly rxmcp: 'alive' };

const prefix = '{"rxmcp":';
/** A longer text that begins so is a message. */
const maxControlChars = 100;

/** Returns the control message that arrived as a text or as a value, with members that are not trusted; undefined for others. */
export function controlMessageOf(
  data: unknown,
): { readonly rxmcp: unknown; readonly messages?: unknown } | undefined {
  const value = typeof data === 'string' ? parsed(data) : data;
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Object.hasOwn(value, 'rxmcp') || Object.hasOwn(value, 'jsonrpc')) return undefined;
  return value as { rxmcp: unknown };
}

function parsed(text: string): unknown {
  if (text.length > maxControlChars || !text.startsWith(prefix)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
