import type { Authorizer, Fetch, HeadersSource } from '@rxmcp/transport';

/** The part of the `eventsource` package that is used. */
export type EventSourceConstructor = new (
  url: URL,
  init: { fetch: (url: string | URL, init: object) => Promise<StreamResponse> },
) => EventSourceLike;

/** The part of an EventSource that is used. */
export interface EventSourceLike {
  addEventListener(
    type: string,
    listener: (event: { readonly data?: unknown; readonly message?: unknown }) => void,
  ): void;
  close(): void;
}

/** The response that an EventSource reads. */
export interface StreamResponse {
  readonly body: { getReader(): StreamReader };
  readonly url: string;
  readonly status: number;
  readonly redirected: boolean;
  readonly headers: { get(name: string): string | null };
}

/** Reads whole events, each as its bytes. */
export interface StreamReader {
  read(): Promise<{ done: false; value: Uint8Array } | { done: true }>;
  cancel(): Promise<void>;
}

/** Options of `sse`. */
export interface SseOptions {
  /** Headers of every request. @default none */
  readonly headers?: HeadersSource;
  /** Signs in and adds tokens: `oauth(...)` of `@rxmcp/auth`. Its headers take precedence over `headers`. @default none */
  readonly auth?: Authorizer;
  /** Sends the requests. A custom `fetch` can add certificates and proxies. @default node:http in Node, otherwise globalThis.fetch */
  readonly fetch?: Fetch;
  /** Reads the stream. @default EventSource of the package `eventsource` */
  readonly eventSource?: EventSourceConstructor;
  /** Largest message that is sent, in bytes. @default 4194304 */
  readonly maxMessageBytes?: number;
  /** Largest event that is read, in bytes; a larger one ends the connection. @default 16777216 */
  readonly maxEventBytes?: number;
  /** How long the server may take to send its `endpoint` event, in milliseconds. @default 10000 */
  readonly connectTimeoutMs?: number;
  /** How long the server may neither accept a message nor send anything, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
  /** Whether credentials may be sent over plain HTTP to another machine, where the network can read them. @default false */
  readonly dangerouslyAllowInsecureCredentials?: boolean;
}
