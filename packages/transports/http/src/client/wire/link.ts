import { type Fetch, notSentError, TransportError } from '@rxmcp/transport';
import type { HttpOptions } from '../options.js';
import {
  customHeaders,
  defaultFetch,
  describeEndpoint,
  redirectStatuses,
  redirectTarget,
  sendAuthorized,
  untilAborted,
} from '@rxmcp/transport/internal';
import { lost, networkFailure } from './network-error.js';
import { errorFromResponse } from './response-error.js';

/** One request to the endpoint. */
export interface LinkRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

const maxRedirects = 3;

/** The way to one endpoint, with what every request to it carries. */
export class Link {
  readonly server: string;
  /** What the server called the session; sent with every request from then on. */
  sessionId: string | undefined = undefined;
  /** The revision that the session speaks, once that is known. */
  version: string | undefined = undefined;
  /** When the server last answered anything. */
  respondedAt = -Infinity;
  readonly #fetch: Fetch;

  constructor(
    private readonly endpoint: URL,
    private readonly options: HttpOptions,
  ) {
    this.server = describeEndpoint(endpoint);
    this.#fetch = options.fetch ?? defaultFetch;
  }

  /** Sends; resolves with the response's head. Rejects with a {@link TransportError}, whatever the signal says. */
  request(request: LinkRequest): Promise<Response> {
    const { signal } = request;
    let sent = false;
    const response = this.#attempt(request, () => (sent = true));
    // The user's headers function and `fetch` may ignore the signal.
    return untilAborted(response, signal, () => {
      response.then(discard).catch(() => undefined);
      return sent ? lost('the exchange was cancelled', signal.reason) : neverSent(signal);
    });
  }

  /** Sends one message. */
  post(text: string, headers: LinkRequest['headers'], signal: AbortSignal): Promise<Response> {
    return this.request({
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      body: text,
      signal,
    });
  }

  async #attempt(request: LinkRequest, leaves: () => void): Promise<Response> {
    const { auth } = this.options;
    if (auth === undefined) return this.#send(request, undefined, leaves);
    const { method } = request;
    const target = { method, url: this.endpoint.href };
    const send = (sent: LinkRequest['headers']) => this.#send(request, sent, leaves);
    const response = await sendAuthorized(auth, target, send, discard);
    if (response.status === 401 || response.status === 403) throw errorFromResponse(this.server, response);
    return response;
  }

  async #send(
    request: LinkRequest,
    credentials: LinkRequest['headers'] | undefined,
    leaves: () => void,
  ): Promise<Response> {
    const headers = await customHeaders(this.endpoint, this.options, credentials);
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, value);
    if (request.signal.aborted) throw neverSent(request.signal);
    leaves();
    let url = this.endpoint;
    for (let hops = 0; ; hops++) {
      const response = await this.#once(url, headers, request);
      const next = this.#redirected(response, url, request.method, hops);
      if (next === undefined) return response;
      discard(response);
      url = next;
    }
  }

  /** The headers of a request in the session. */
  sessionHeaders(): Record<string, string> {
    const { sessionId, version } = this;
    return {
      ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
      ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
    };
  }

  async #once(url: URL, headers: Headers, { method, body, signal }: LinkRequest): Promise<Response> {
    try {
      // A redirect is judged here: the platform would take the session and one's own headers along to anywhere.
      const response = await this.#fetch(url.href, {
        method,
        headers,
        signal,
        redirect: 'manual',
        ...(method === 'GET' ? { cache: 'no-store' } : {}),
        ...(body === undefined ? {} : { body }),
      });
      this.respondedAt = performance.now();
      return response;
    } catch (cause) {
      throw networkFailure(this.server, cause);
    }
  }

  #redirected(response: Response, from: URL, method: string, hops: number): URL | undefined {
    const opaque = response.type === 'opaqueredirect';
    if (!opaque && !redirectStatuses.has(response.status)) return undefined;
    const to = redirectTarget(response, from, method);
    if (to !== undefined && to.origin === from.origin && hops < maxRedirects) return to;
    discard(response);
    const { status } = response;
    throw new TransportError('REJECTED', `${this.server} redirects, which is not followed`, {
      outcome: 'answered',
      details: { status },
    });
  }
}

function neverSent(signal: AbortSignal): TransportError {
  return notSentError('SEND_FAILED', 'sending was aborted', signal.reason);
}

/** Cancels the rest of a response. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => undefined);
}
