import type { Carrier } from '@rxmcp/transport';

/** What a dial knows. */
export interface Opening {
  /** `ws:` or `wss:`, without credentials. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly ca: string | readonly string[] | undefined;
  readonly maxMessageBytes: number;
  readonly stallMs: number;
  readonly heartbeatMs: number;
  /** Gives up; nothing is left behind. */
  readonly signal: AbortSignal;
}

/** Opens a socket of the platform and gives its carrier. Rejects with a TransportError, or with anything where it was aborted. */
export type OpenSocket = (opening: Opening) => Promise<Carrier>;

/** An address fit to be shown: what its query says may be secret. */
export function shownUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}
