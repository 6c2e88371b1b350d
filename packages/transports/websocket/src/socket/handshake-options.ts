import type { Channel } from '@rxmcp/transport';

/** What a dial knows. */
export interface HandshakeOptions {
  /** `ws:` or `wss:`, without credentials. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly ca: string | readonly string[] | undefined;
  readonly maxMessageBytes: number;
  readonly writeTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  /** Aborts the handshake and releases everything. */
  readonly signal: AbortSignal;
}

/** Opens a socket of the platform and resolves with its channel. Rejects with a TransportError, or with anything where it was aborted. */
export type OpenChannel = (opening: HandshakeOptions) => Promise<Channel>;

/** An address fit to be shown: what its query says may be secret. */
export function describeUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}
