import type { HeadersSource } from '@rxmcp/transport';

/** What sends requests: the `fetch` of the platform, or one of your own around it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of {@link http}. */
export interface HttpOptions {
  /** Headers of every request, such as `authorization`. A function is asked anew for each attempt. */
  readonly headers?: HeadersSource;
  /** Sends the requests; one's own adds a proxy, a certificate authority or cookies. @default globalThis.fetch */
  readonly fetch?: Fetch;
  /** Largest message that is sent, in bytes. @default 4 MiB */
  readonly maxMessageBytes?: number;
  /** Largest answer or event that is read, in bytes. @default 16 MiB */
  readonly maxResponseBytes?: number;
  /** Lets a credential travel over plain HTTP to another machine, where everybody on the way can read it. @default false */
  readonly dangerouslyAllowInsecureCredentials?: boolean;
}
