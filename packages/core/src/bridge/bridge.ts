import type { Acceptor, Connection, Served, Transport } from '@rxmcp/transport';
import { timerMs, TransportError, within } from '@rxmcp/transport';
import type { Fault } from '../faults.js';
import { now } from '../peer/clock.js';
import { Link } from './link.js';
import { unreached } from './unreached.js';

/** Options of {@link bridge}. */
export interface BridgeOptions {
  /** How long the server may take to be dialled, in milliseconds. @default 10_000 */
  readonly dialMs?: number;
  /** Hears what went wrong and ended nothing, and why links end. */
  readonly onFault?: (fault: Fault) => void;
}

/**
 * Joins whatever transport serves this acceptor with the server that `back` dials to. Each connection that is accepted gets
 * a connection of its own there, so a session has its own and what shares a connection here shares one there; both end
 * together. Requests, answers, questions, progress, cancellation, logs and subscriptions pass in either direction, in every
 * revision that both transports carry.
 */
export function bridge(back: Transport, options: BridgeOptions = {}): Acceptor {
  const { dialMs = 10_000, onFault = () => undefined } = options;
  return { accept: (front) => new Joining(front, back, dialMs, onFault) };
}

/** One accepted connection, until and after its server is there. */
class Joining implements Served {
  readonly closed: Promise<void>;
  private readonly link: Promise<Link | undefined>;

  constructor(front: Connection, back: Transport, dialMs: number, onFault: (fault: Fault) => void) {
    this.link = joined(front, back, dialMs, onFault);
    this.closed = this.link.then((link) => link?.closed);
  }

  async drain({ withinMs }: { readonly withinMs: number }): Promise<void> {
    const from = now();
    let link: Link | undefined;
    // A server that is being dialled may take longer than there is time.
    await within(
      this.link.then((found) => (link = found)),
      withinMs,
    );
    await link?.drain({ withinMs: withinMs - (now() - from) });
  }
}

async function joined(
  front: Connection,
  back: Transport,
  dialMs: number,
  onFault: (fault: Fault) => void,
): Promise<Link | undefined> {
  try {
    return new Link(front, await back.dial({ signal: AbortSignal.timeout(timerMs(dialMs)) }), onFault);
  } catch (cause) {
    const error = TransportError.from(cause, 'DIAL_FAILED', { outcome: 'not-sent', retryable: true });
    onFault({ code: error.code, message: `"${back.name}" was not reached`, cause: error });
    await unreached(front, error);
    return undefined;
  }
}
