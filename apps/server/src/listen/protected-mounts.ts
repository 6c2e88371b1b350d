import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResourceServer } from 'rxmcp/auth/server';
import type { Authenticator, GuardOptions } from 'rxmcp/transport/guard';

/** Who may use the endpoints of a listener: everybody on this machine, those of a table, or those with access tokens. */
export interface Protection extends Pick<GuardOptions, 'authenticate'> {
  /** Protects the endpoint at a URL with access tokens. */
  readonly auth?: ((url: string) => ResourceServer) | undefined;
}

/** The protection of several endpoints, whose URLs are known once they listen. */
export class ProtectedMounts {
  #guards: readonly ResourceServer[] = [];

  constructor(private readonly protection: Protection) {}

  /** The options of the endpoint with that number. */
  optionsAt(at: number): GuardOptions {
    const { auth, authenticate } = this.protection;
    if (auth === undefined) return authenticate === undefined ? {} : { authenticate };
    const later: Authenticator = (head, clientAddress) =>
      this.#guards[at]?.authenticate(head, clientAddress) ?? { status: 503 };
    const challengeFor: Authenticator['challengeFor'] = (scopes) =>
      this.#guards[at]?.authenticate.challengeFor?.(scopes);
    return { authenticate: Object.assign(later, { challengeFor }) };
  }

  /** The resource of a WebSocket is named as that of its HTTP request. */
  begin(urls: readonly string[]): void {
    const { auth } = this.protection;
    if (auth !== undefined) this.#guards = urls.map((url) => auth(url.replace(/^ws/, 'http')));
  }

  /** Answers a request for the metadata of an endpoint, or returns false. */
  metadata(request: IncomingMessage, response: ServerResponse): boolean {
    return this.#guards.some((guard) => guard.nodeMetadata(request, response));
  }
}
