import type { AuthorizedRequest, Channel } from '@rxmcp/transport';

/** What a dial knows. */
export interface HandshakeOptions {
  /** `ws:` or `wss:`, without credentials. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The headers of an authorizer, which has none before a sign-in; undefined without an authorizer. */
  readonly credentials: Readonly<Record<string, string>> | undefined;
  readonly ca: string | readonly string[] | undefined;
  readonly maxMessageBytes: number;
  readonly writeTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  /** Aborts the handshake and releases everything. */
  readonly signal: AbortSignal;
}

/** The sockets of a platform. */
export interface Sockets {
  /** Opens a socket and resolves with its channel. Rejects with a TransportError, or with anything where it was aborted. */
  open(opening: HandshakeOptions): Promise<Channel>;
  /** The request that carries the headers of an authorizer. */
  authorizedRequest(url: URL): AuthorizedRequest;
}

/** The resource of a WebSocket is named as that of its HTTP request. */
export const httpAddress = ({ href }: URL): string => href.replace(/^ws/, 'http');

/** An address fit to be shown: what its query says may be secret. */
export function describeUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}
