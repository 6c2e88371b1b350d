import {
  type Acceptor,
  type Connection,
  type DialOptions,
  type ServeHandle,
  Serving,
  type Transport,
  TransportError,
} from '@rxmcp/transport';
import { pair } from './pair.js';

/** Options of {@link memory}. */
export interface MemoryOptions {
  /** Who the serving side sees at the other end. @default anonymous */
  readonly principal?: string;
  /** How many messages may wait in one direction before `send` makes its caller wait. @default 1024 */
  readonly maxQueued?: number;
  /** How long a full direction may stand still before the connection ends with `STALLED`, in milliseconds. @default 30000 */
  readonly stallMs?: number;
  /** Largest message in bytes. A finite limit costs an encoding of each message, to measure it. @default Infinity */
  readonly maxMessageBytes?: number;
}

/** A transport within one process, and the place to serve it. */
export interface MemoryLink extends Transport {
  /** Feeds every later dial to the acceptor, until the handle is drained or closed. Throws a TypeError while it is served already. */
  serve(acceptor: Acceptor): ServeHandle;
  /** The same link for another caller: its connections belong to that principal. */
  as(principal: string): Transport;
}

/**
 * Connects a client and a server in one process. Each dial makes a fresh connection; messages are isolated by a copy,
 * delivered in order and never inside `send`.
 */
export function memory(options: MemoryOptions = {}): MemoryLink {
  let serving: Serving | undefined;

  const dial = async (principal: string | undefined, { signal }: DialOptions = {}): Promise<Connection> => {
    if (signal?.aborted === true) {
      throw new TransportError('DIAL_ABORTED', 'The dial was aborted.', {
        cause: signal.reason,
        outcome: 'not-sent',
      });
    }
    if (serving === undefined) {
      throw new TransportError('DIAL_FAILED', 'Nobody serves this memory link.', {
        outcome: 'not-sent',
        retryable: true,
      });
    }
    const [dialled, accepted] = pair(options, principal);
    try {
      serving.accept(accepted);
    } catch (cause) {
      await accepted.close();
      throw TransportError.from(cause, 'DIAL_FAILED', { outcome: 'not-sent' });
    }
    return dialled;
  };

  return {
    name: 'memory',
    dial: (dialOptions) => dial(options.principal, dialOptions),
    as: (principal) => ({ name: 'memory', dial: (dialOptions) => dial(principal, dialOptions) }),
    serve(acceptor) {
      if (serving !== undefined) throw new TypeError('This memory link is served already.');
      serving = new Serving(acceptor, () => {
        serving = undefined;
      });
      return serving;
    },
  };
}
