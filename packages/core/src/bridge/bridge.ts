import { messageKind, OVERLOADED } from '@rxmcp/jsonrpc';
import type { ErrorObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import type { ConnectionHandler, Connection, ServedConnection, Transport } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { clampTimeout, settleWithin, rejectRenamedOptions } from '@rxmcp/transport/internal';
import { now } from '../base/clock.js';
import { singleLine } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import { Link } from './link.js';
import { BRIDGED_PEER_UNAVAILABLE } from './passing-era.js';

/** Options of {@link bridge}. */
export interface BridgeOptions {
  /** How long the server may take to be dialled, in milliseconds. @default 10_000 */
  readonly connectTimeoutMs?: number;
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
export function bridge(back: Transport, options: BridgeOptions = {}): ConnectionHandler {
  rejectRenamedOptions('bridge', options, { dialMs: 'connectTimeoutMs' });
  const { connectTimeoutMs = 10_000, maxClients = Infinity, onFault = () => undefined } = options;
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
        return new Joining(refuseOverloaded(front));
      }
      isToldFull = false;
      clients += 1;
      const joining = new Joining(joined(front, back, connectTimeoutMs, tell));
      joining.closed.then(leave, leave);
      return joining;
    },
  };
}

/** One accepted connection, until and after its server is there. */
class Joining implements ServedConnection {
  readonly closed: Promise<void>;

  /** @param link - undefined for a client that is not joined with anything, once it is gone */
  constructor(private readonly link: Promise<Link | undefined>) {
    this.closed = link.then((found) => found?.closed);
  }

  async drain({ timeoutMs }: { readonly timeoutMs: number }): Promise<void> {
    const from = now();
    let link: Link | undefined;
    // A server that is being dialled may take longer than there is time.
    await settleWithin(
      this.link.then((found) => (link = found)),
      timeoutMs,
    );
    await link?.drain({ timeoutMs: timeoutMs - (now() - from) });
  }
}

async function joined(
  front: Connection,
  back: Transport,
  connectTimeoutMs: number,
  onFault: (fault: Fault) => void,
): Promise<Link | undefined> {
  try {
    return new Link(
      front,
      await back.dial({ signal: AbortSignal.timeout(clampTimeout(connectTimeoutMs)) }),
      onFault,
    );
  } catch (cause) {
    const error = TransportError.from(cause, 'DIAL_FAILED', { outcome: 'not-sent', retryable: true });
    const message = `"${back.name}" was not reached: ${singleLine(error.message)}`;
    onFault({ code: error.code, message, cause: error });
    return refuseUnreachable(front, error);
  }
}

const timeoutMs = 1_000;
/** A client may try the other era before it gives up. */
const afterMs = 250;

/** Tells a client that its server cannot be reached, in answer to whatever it asks, and closes soon. */
export function refuseUnreachable(front: Connection, { code }: TransportError): Promise<undefined> {
  const message = 'the server behind this bridge cannot be reached';
  return unserved(front, { code: BRIDGED_PEER_UNAVAILABLE, message, data: { retryable: true, code } });
}

/** Tells a client in the same way that there are too many. */
export function refuseOverloaded(front: Connection): Promise<undefined> {
  const data = { retryable: true, retryAfterMs: 1_000, executed: false };
  return unserved(front, { code: OVERLOADED, message: 'too many clients are on this bridge', data });
}

function unserved(front: Connection, error: ErrorObject): Promise<undefined> {
  return new Promise((resolve) => {
    const close = (): void => void front.close();
    let alarm = setTimeout(close, timeoutMs);
    let isAnswered = false;
    front.start({
      received(incoming, arrival) {
        if (messageKind(incoming) !== 'request') return;
        const lane = arrival?.lane;
        const options = { rejection: 'overloaded', ...(lane === undefined ? {} : { lane }) } as const;
        void front.send({ jsonrpc: '2.0', id: (incoming as JsonRpcRequest).id, error }, options).catch(close);
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
