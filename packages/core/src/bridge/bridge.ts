import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { messageKind, OVERLOADED } from '@rxmcp/jsonrpc';
import type { ErrorObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import type {
  Connection,
  ConnectionHandler,
  SendOptions,
  ServedConnection,
  Transport,
} from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { clampTimeout, settleWithin, shareOf, Shares } from '@rxmcp/transport/internal';
import { BRIDGED_PEER_UNAVAILABLE } from '../base/error-marks.js';
import { now } from '../base/clock.js';
import { singleLine } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import { holderOf } from '../peer/memory.js';
import { Link } from './link.js';

/** Configures {@link bridge}. */
export interface BridgeOptions {
  /** Longest time to dial the server, in milliseconds. @default 10_000 */
  readonly connectTimeoutMs?: number;
  /**
   * The number of connections that are bridged at a time. One principal, or one address of anonymous callers, may have
   * half of them. One more client receives -31001, which says when to retry. A connection counts until both sides are closed. @default Infinity
   */
  readonly maxClients?: number;
  /** Receives what went wrong and ended nothing, and why a connection ended. */
  readonly onFault?: (fault: Fault) => void;
}

const knownOptions: Record<keyof BridgeOptions, true> = {
  connectTimeoutMs: true,
  maxClients: true,
  onFault: true,
};

/**
 * Returns a proxy that serves the server behind `transport` over another transport, such as a stdio server over HTTP. Pass the result to
 * `serve` of any transport.
 * Each accepted connection gets its own connection to the server; both close together. Where callers share an endpoint,
 * each principal has one connection, and all anonymous callers have one. Requests, responses, asks,
 * progress, cancellation, logs and subscriptions pass in both directions, in every revision that both transports
 * support. A client whose server cannot be reached receives -31003.
 * @example
 * const behind = stdio({ command: 'node', args: ['server.mjs'] });
 * const { url } = await serveHttp(bridge(behind, { maxClients: 16 }), { port: 8080 });
 */
export function bridge(transport: Transport, options: BridgeOptions = {}): ConnectionHandler {
  rejectUnknownOptions('bridge', options, knownOptions, { dialMs: 'connectTimeoutMs' });
  const { connectTimeoutMs = 10_000, maxClients = Infinity, onFault = () => undefined } = options;
  const clients = new Shares(maxClients);
  let isFullReported = false;
  const report = (fault: Fault): void => {
    try {
      onFault(fault);
    } catch {
      // An observer of faults must not cause another: the client still gets its response.
    }
  };
  return {
    connectionPerPrincipal: true,
    accept(client) {
      const holder = holderOf(client.traits);
      if (!clients.tryAdd(holder)) {
        // One fault for any number of rejected clients in a row.
        if (!isFullReported)
          report({
            code: 'TOO_MANY_CLIENTS',
            message: `rejected a client: the limit is ${maxClients}, and ${shareOf(maxClients)} for one caller`,
          });
        isFullReported = true;
        return new BridgedConnection(respondOverloaded(client));
      }
      isFullReported = false;
      const connection = new BridgedConnection(joined(client, transport, connectTimeoutMs, report));
      const leave = (): void => clients.remove(holder);
      connection.closed.then(leave, leave);
      return connection;
    },
  };
}

/** One accepted connection, from before its server is dialled until both sides are closed. */
class BridgedConnection implements ServedConnection {
  readonly closed: Promise<void>;

  /** @param link - resolves to undefined if no server was joined, once the client is closed */
  constructor(private readonly link: Promise<Link | undefined>) {
    this.closed = link.then((found) => found?.closed);
  }

  async drain({ timeoutMs }: { readonly timeoutMs: number }): Promise<void> {
    const from = now();
    let link: Link | undefined;
    // Dialling the server may take longer than the time to drain.
    await settleWithin(
      this.link.then((found) => (link = found)),
      timeoutMs,
    );
    await link?.drain({ timeoutMs: timeoutMs - (now() - from) });
  }
}

async function joined(
  client: Connection,
  transport: Transport,
  connectTimeoutMs: number,
  onFault: (fault: Fault) => void,
): Promise<Link | undefined> {
  try {
    return new Link(
      client,
      await transport.dial({ signal: AbortSignal.timeout(clampTimeout(connectTimeoutMs)) }),
      onFault,
    );
  } catch (cause) {
    const error = TransportError.from(cause, 'DIAL_FAILED', { outcome: 'not-sent', retryable: true });
    const message = `connecting to "${transport.name}" failed: ${singleLine(error.message)}`;
    onFault({ code: error.code, message, cause: error });
    return respondUnreachable(client, error);
  }
}

const timeoutMs = 1_000;
/** Leaves a client the time to try the other era on the same connection. */
const afterMs = 250;

/** Responds to all requests that the server cannot be reached, and soon closes the connection. */
function respondUnreachable(client: Connection, { code }: TransportError): Promise<undefined> {
  const message = 'the server behind this bridge cannot be reached';
  return unserved(client, { code: BRIDGED_PEER_UNAVAILABLE, message, data: { retryable: true, code } });
}

/** Responds to all requests that the bridge has too many clients, and soon closes the connection. */
function respondOverloaded(client: Connection): Promise<undefined> {
  const data = { retryable: true, retryAfterMs: 1_000, executed: false };
  return unserved(client, {
    code: OVERLOADED,
    message: 'too many clients are on this bridge, or too many of this caller',
    data,
  });
}

function unserved(client: Connection, error: ErrorObject): Promise<undefined> {
  return new Promise((resolve) => {
    const close = (): void => void client.close();
    let alarm = setTimeout(close, timeoutMs);
    let isAnswered = false;
    client.start({
      received(incoming, receiveInfo) {
        if (messageKind(incoming) !== 'request') return;
        const lane = receiveInfo?.lane;
        const options: SendOptions = { rejection: 'overloaded', ...(lane === undefined ? {} : { lane }) };
        void client
          .send({ jsonrpc: '2.0', id: (incoming as JsonRpcRequest).id, error }, options)
          .catch(close);
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
