import type { CorsPolicy, GuardOptions } from '@rxmcp/transport/guard';

/** Options of every serving side of HTTP+SSE. */
export interface SseHandlerOptions extends GuardOptions {
  /** Where the stream is fetched from. Only looked at where nobody else routes. @default '/sse' */
  readonly path?: string;
  /**
   * Where messages are posted to: what clients are told, with the id of their session added. Relative to the stream, so
   * name the whole path where the handlers are mounted under another one. @default '/messages'
   */
  readonly messagesPath?: string;
  /** Gives the headers that let pages of other origins call; `origins` has to name those too. @default none */
  readonly cors?: CorsPolicy;
  /** Largest message in either direction, in bytes. @default 4194304 */
  readonly maxMessageBytes?: number;
  /**
   * Bytes of posted messages that may be on their way at a time; what goes beyond is told to come back later.
   * Never less than `maxMessageBytes`.
   * @default 67108864, on Node at most an eighth of the heap
   */
  readonly maxBufferedBytes?: number;
  /** How many sessions may be open; further ones are told to come back later. @default 10000 */
  readonly maxSessions?: number;
  /** How often a stream without a message is kept from looking dead, in milliseconds. @default 15000 */
  readonly keepAliveIntervalMs?: number;
  /**
   * How long a client may take to post its first message, in milliseconds, before its session ends; for ever with `Infinity`.
   * @default 60000
   */
  readonly firstMessageTimeoutMs?: number;
  /** How long a client that reads nothing is waited for, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
}

/** Splits what clients are told into the path that posts come to, and the text before the id of a session. */
export function endpointParts(messages: string): { readonly path: string; readonly prefix: string } {
  const base = 'http://rxmcp.invalid';
  const url = URL.canParse(messages, base) ? new URL(messages, base) : undefined;
  const elsewhere = url?.origin !== base || url.hash !== '' || /\s/.test(messages);
  if (url === undefined || elsewhere || url.searchParams.has('sessionId')) {
    throw new TypeError(`"messagesPath" must be a path of this server, not ${JSON.stringify(messages)}`);
  }
  return { path: url.pathname, prefix: `${messages}${url.search === '' ? '?' : '&'}sessionId=` };
}

/** Present names of {@link SseHandlerOptions} by former names. */
export const renamedHandlerOptions = {
  hosts: 'allowedHosts',
  origins: 'allowedOrigins',
  messages: 'messagesPath',
  keepAliveMs: 'keepAliveIntervalMs',
  firstMessageMs: 'firstMessageTimeoutMs',
  stallMs: 'writeTimeoutMs',
};
