import type { GuardOptions } from '@rxmcp/transport/guard';
import { knownGuardOptions } from '@rxmcp/transport/internal';

/** Options of all servers of HTTP+SSE. */
export interface SseHandlerOptions extends GuardOptions {
  /** The path of the stream. Used only where no framework routes. @default '/sse' */
  readonly path?: string;
  /**
   * The path to which messages are posted: clients receive it with the id of their session. It is relative to the stream, so pass the
   * whole path where the handlers are mounted under another path. @default '/messages'
   */
  readonly messagesPath?: string;
  /** Whether pages of `allowedOrigins` may read the responses (CORS). @default true where `allowedOrigins` is given */
  readonly cors?: boolean;
  /** Largest message in either direction, in bytes. @default 4194304 */
  readonly maxMessageBytes?: number;
  /**
   * How many bytes of posted messages are held at the same time; over it, posts are rejected with 503.
   * Never less than `maxMessageBytes`.
   * @default 67108864, on Node at most an eighth of the heap
   */
  readonly maxBufferedBytes?: number;
  /** How many sessions may be open, half of them of one principal or address; further ones are rejected with 503. @default 10000 */
  readonly maxSessions?: number;
  /** How long a stream may be silent before a comment is sent, in milliseconds. @default 15000 */
  readonly keepAliveIntervalMs?: number;
  /**
   * How long a client may take to post its first message, in milliseconds, before its session ends. `Infinity` = no limit.
   * @default 60000
   */
  readonly firstMessageTimeoutMs?: number;
  /** How long to wait for the client to read before its session ends with `STALLED`, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
}

/** The names of {@link SseHandlerOptions}. */
export const knownHandlerOptions: Record<keyof SseHandlerOptions, true> = {
  ...knownGuardOptions,
  path: true,
  messagesPath: true,
  cors: true,
  maxMessageBytes: true,
  maxBufferedBytes: true,
  maxSessions: true,
  keepAliveIntervalMs: true,
  firstMessageTimeoutMs: true,
  writeTimeoutMs: true,
};

/** Splits the address that clients receive into the path of posts, and the text before the id of a session. */
export function endpointParts(messages: string): { readonly path: string; readonly prefix: string } {
  const base = 'http://rxmcp.invalid';
  const url = URL.canParse(messages, base) ? new URL(messages, base) : undefined;
  const elsewhere = url?.origin !== base || url.hash !== '' || /\s/.test(messages);
  if (url === undefined || elsewhere || url.searchParams.has('sessionId')) {
    throw new TypeError(`"messagesPath" must be a path of this server, not ${JSON.stringify(messages)}`);
  }
  return { path: url.pathname, prefix: `${messages}${url.search === '' ? '?' : '&'}sessionId=` };
}
