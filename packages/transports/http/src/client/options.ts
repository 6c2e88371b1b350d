import type { Authorizer, Fetch, HeadersSource } from '@rxmcp/transport';

/** Options of a client over Streamable HTTP: those of {@link http}. */
export interface HttpOptions {
  /** Headers of every request, such as `authorization`. A function is called for each attempt. @default none */
  readonly headers?: HeadersSource;
  /** Signs in and adds tokens: `oauth(...)` of `@rxmcp/auth`. Its headers take precedence over `headers`. @default none */
  readonly auth?: Authorizer;
  /** Sends the requests. A custom `fetch` can add a proxy, a certificate authority or cookies. @default node:http in Node, otherwise globalThis.fetch */
  readonly fetch?: Fetch;
  /** Largest message that is sent, in bytes. @default 4_194_304 */
  readonly maxMessageBytes?: number;
  /** Largest response or event that is read, in bytes. @default 16_777_216 */
  readonly maxResponseBytes?: number;
  /** Whether credentials may be sent over plain HTTP to another machine, where the network can read them. @default false */
  readonly dangerouslyAllowInsecureCredentials?: boolean;
}
