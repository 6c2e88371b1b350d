import { type Connection, connectionOf, pipeTraits } from '@rxmcp/transport';
import { PortCarrier } from './port-carrier.js';
import type { PortLike } from './port-like.js';

/** Options of both sides of a port. */
export interface MessagePortOptions {
  /** Largest message in either direction, in bytes. @default 10485760 */
  readonly maxMessageBytes?: number;
  /** How long a side that takes nothing is waited for, in milliseconds, before `STALLED`. @default 30000 */
  readonly stallMs?: number;
  /**
   * The other side is not this package and knows nothing but the messages of the protocol. Then neither side tells what it
   * has read, so that sends never wait, and nobody says goodbye. @default false
   */
  readonly plain?: boolean;
}

/** What only one of the sides says. */
export interface PortSide extends MessagePortOptions {
  readonly endsWorker: boolean;
  readonly redialable: boolean;
  readonly principal?: string;
}

/** A connection over one port. */
export function connectionOfPort(port: PortLike, side: PortSide): Connection {
  const { maxMessageBytes = pipeTraits.maxMessageBytes, stallMs = 30_000, plain = false } = side;
  const { endsWorker, redialable, principal } = side;
  return connectionOf(
    (sink) => new PortCarrier({ port, endsWorker, plain, maxMessageBytes, stallMs }, sink),
    { ...pipeTraits, maxMessageBytes, redialable, ...(principal === undefined ? {} : { principal }) },
  );
}
