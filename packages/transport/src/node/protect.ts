import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authenticator, GuardOptions } from '../guard/guard.js';
import { endUnreadBody, type HttpListener } from './listen.js';

/** Protects a listener with access tokens: the result of `resourceServer` of `@rxmcp/auth/server`. */
export interface ListenerAuth {
  readonly authenticate: Authenticator;
  /** Answers requests for the metadata, which says where to sign in. Returns false for other requests. */
  nodeMetadata(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The option of listeners that protects them. */
export interface ProtectOptions extends Pick<GuardOptions, 'authenticate'> {
  /**
   * Protects the listener with access tokens, instead of `authenticate`, and also serves the metadata: `resourceServer(...)` of
   * `@rxmcp/auth/server`, or a function that makes it for the URL of the listener. @default none
   */
  readonly auth?: ListenerAuth | ((url: string) => ListenerAuth);
}

/** A listener's options, with the `authenticate` of `auth`. */
export interface Protected<Options> {
  readonly options: Options;
  /** Makes what needs the URL of the listener, before its first request. Rejects, and ends the listener, where that fails. */
  begin(url: string, listener: HttpListener): Promise<void>;
  /** Answers a request for the metadata, or returns false. */
  metadata(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Applies the `auth` of a listener. Throws a TypeError where it has `authenticate` too. */
export function protect<Options extends ProtectOptions>(
  operation: string,
  options: Options,
): Protected<Options> {
  const { auth } = options;
  if (auth === undefined) return { options, begin: () => Promise.resolve(), metadata: () => false };
  if (options.authenticate !== undefined)
    throw new TypeError(`${operation}: "auth" has an "authenticate". Pass one of the two`);
  let made = typeof auth === 'function' ? undefined : auth;
  const later: Authenticator = (head, clientAddress) =>
    made?.authenticate(head, clientAddress) ?? { status: 503 };
  const challengeFor = (scopes: readonly string[]) => made?.authenticate.challengeFor?.(scopes);
  const authenticate = Object.assign(later, { challengeFor });
  return {
    options: { ...options, authenticate },
    async begin(url, listener) {
      try {
        if (typeof auth === 'function') made = auth(url);
      } catch (error) {
        await listener.stop();
        throw error;
      }
    },
    metadata(request, response) {
      const { shouldKeepAlive } = response;
      endUnreadBody(request, response);
      if (made?.nodeMetadata(request, response) === true) return true;
      response.shouldKeepAlive = shouldKeepAlive;
      return false;
    },
  };
}
