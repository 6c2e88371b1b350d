import { holderName, rejectUnknownOptions } from '@rxmcp/transport/internal';
import {
  type ConnectionHandler,
  type Connection,
  type DialOptions,
  notSentError,
  type ServeHandle,
  ConnectionSet,
  type Transport,
  TransportError,
} from '@rxmcp/transport';
import {
  alikePortOptions,
  createPortConnection,
  createServedConnection,
  knownPortOptions,
  type MessagePortOptions,
} from './port-channel.js';
import { closePort, type PortLike } from './port-like.js';

/** Creates the port of a dial. `signal` is the signal of the dial: a port that is created after it was aborted is closed at once. */
export type PortFactory = (options: DialOptions) => PortLike | Promise<PortLike>;

/**
 * Speaks to the other side of a MessagePort or to a worker, in structured clones.
 *
 * Given a function, each dial makes a port or a worker of its own, and closing the connection closes the port and ends the
 * worker. A port or worker that is given itself can be dialled once; such a worker is left running. A dial fails
 * with `DIAL_FAILED` (the function threw, or the port was used) or `DIAL_ABORTED`. A side that ends without closing ends
 * the connection with `CONNECTION_LOST`, where the platform reports it. MCP basic, transports, custom transports.
 */
export function messagePort(port: PortLike | PortFactory, options: MessagePortOptions = {}): Transport {
  rejectUnknownOptions('messagePort', options, knownPortOptions, alikePortOptions);
  let used = false;
  return {
    name: 'message-port',
    async dial({ signal } = {}) {
      rejectAborted(signal);
      if (typeof port === 'function') return made(port, signal, options);
      if (used)
        throw notSentError(
          'DIAL_FAILED',
          'the port was dialled already: pass a function that makes a new one',
        );
      used = true;
      return createPortConnection(port, { ...options, isServer: false, isOwnPort: false });
    },
  };
}

async function made(
  make: PortFactory,
  signal: AbortSignal | undefined,
  options: MessagePortOptions,
): Promise<Connection> {
  let port: PortLike;
  try {
    port = await make(signal === undefined ? {} : { signal });
  } catch (cause) {
    rejectAborted(signal);
    throw TransportError.is(cause)
      ? cause
      : notSentError('DIAL_FAILED', 'the port could not be created', cause);
  }
  if (signal?.aborted === true) await closePort(port);
  rejectAborted(signal);
  return createPortConnection(port, { ...options, isServer: false, isOwnPort: true });
}

function rejectAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw notSentError('DIAL_ABORTED', 'the dial was aborted', signal.reason);
}

/** Options of {@link serveMessagePort}. */
export interface ServeMessagePortOptions extends MessagePortOptions {
  /** Who is at the other end of the port. Its connections share one limit of memory. @default anonymous */
  readonly principal?: string;
}

/**
 * Serves the one client at the other end of a port: the global scope of a browser's worker, `parentPort` of a worker of
 * Node, one port of a channel, one that a shared worker was connected with. The port is closed with the connection; a global
 * scope and a Worker are left as they are. MCP basic, transports, custom transports.
 */
export function serveMessagePort(
  handler: ConnectionHandler,
  port: PortLike,
  options: ServeMessagePortOptions = {},
): ServeHandle {
  rejectUnknownOptions(
    'serveMessagePort',
    options,
    { ...knownPortOptions, principal: true },
    alikePortOptions,
  );
  const { principal, ...portOptions } = options;
  const caller = principal === undefined ? {} : { principal, holder: holderName(principal) };
  const connections = new ConnectionSet(handler);
  connections.accept(createServedConnection(port, caller, portOptions));
  return connections;
}
