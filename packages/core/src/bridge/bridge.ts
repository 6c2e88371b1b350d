import { kindOf, OVERLOADED } from '@rxmcp/jsonrpc';
import type { ErrorBody, Request } from '@rxmcp/jsonrpc';
import type { Acceptor, Connection, Served, Transport } from '@rxmcp/transport';
import { timerMs, TransportError, within } from '@rxmcp/transport';
import { now } from '../base/clock.js';
import { plain } from '../base/names.js';
import type { Fault } from '../contract/faults.js';
import { Link } from './link.js';
import { OTHER_SIDE_GONE } from './passing-era.js';

/** Options of {@link bridge}. */
export interface BridgeOptions {
  /** How long the server may take to be dialled, in milliseconds. @default 10_000 */
  readonly dialMs?: number;
  /**
   * How many connections are joined at a time, until both sides of each are gone; one more is told -31001, to come back later.
   * @default as many as come
   */
  readonly maxClients?: number;
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
  const { dialMs = 10_000, maxClients = Infinity, onFault = () => undefined } = options;
  let clients = 0;
  let isToldFull = false;
  const tell = (fault: Fault): void => {
    try {
      onFault(fault);
    } catch {
      // Who hears of faults makes none: the client is answered all the same.
    }
  };
  const leave = (): void => void (clients -= 1);
  return {
    accept(front) {
      if (clients >= maxClients) {
        // Whoever comes again and again is told of once.
        if (!isToldFull)
          tell({ code: 'TOO_MANY_CLIENTS', message: `a client was refused: there are ${maxClients}` });
        isToldFull = true;
        return new Joining(overloaded(front));
      }
      isToldFull = false;
      clients += 1;
      const joining = new Joining(joined(front, back, dialMs, tell));
      joining.closed.then(leave, leave);
      return joining;
    },
  };
}

/** One accepted connection, until and after its server is there. */
class Joining implements Served {
  readonly closed: Promise<void>;

  /** @param link - undefined for a client that is not joined with anything, once it is gone */
  constructor(private readonly link: Promise<Link | undefined>) {
    this.closed = link.then((found) => found?.closed);
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
    const message = `"${back.name}" was not reached: ${plain(error.message)}`;
    onFault({ code: error.code, message, cause: error });
    return unreached(front, error);
  }
}

const withinMs = 1_000;
/** A client may try the other era before it gives up. */
const afterMs = 250;

/** Tells a client that its server cannot be reached, in answer to whatever it asks, and closes soon. */
export function unreached(front: Connection, { code }: TransportError): Promise<undefined> {
  const message = 'the server behind this bridge cannot be reached';
  return unserved(front, { code: OTHER_SIDE_GONE, message, data: { retryable: true, code } });
}

/** Tells a client in the same way that there are too many. */
export function overloaded(front: Connection): Promise<undefined> {
  const data = { retryable: true, retryAfterMs: 1_000, executed: false };
  return unserved(front, { code: OVERLOADED, message: 'too many clients are on this bridge', data });
}

function unserved(front: Connection, error: ErrorBody): Promise<undefined> {
  return new Promise((resolve) => {
    const close = (): void => void front.close();
    let alarm = setTimeout(close, withinMs);
    let isAnswered = false;
    front.start({
      received(incoming, arrival) {
        if (kindOf(incoming) !== 'request') return;
        const lane = arrival?.lane;
        const envelope = { refusal: 'overload', ...(lane === undefined ? {} : { lane }) } as const;
        void front.send({ jsonrpc: '2.0', id: (incoming as Request).id, error }, envelope).catch(close);
        if (isAnswered) return;
        isAnswered = true;
        clearTimeout(alarm);
        alarm = setTimeout(close, afterMs);
      },
      laneClosed: () => undefined,
      fault: () => undefined,
      closed() {
        clearTimeout(alarm);
        resolve(undefined);
      },
    });
  });
}
