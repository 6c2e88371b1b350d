import type { Acceptor, Transport } from '@rxmcp/transport';

/** One freshly served transport; each law gets its own. */
export interface Rig {
  /** Dials to the acceptor that `serve` was given. */
  readonly transport: Transport;
  /** Stops serving and closes the connections that are left. */
  close(): Promise<void>;
  /**
   * Puts one raw frame in the way of the newest connection, as if the other side had sent it: a line, a socket message,
   * an event, whatever frames a message here. Without it the garbage laws are not run.
   */
  garbage?(towards: 'served' | 'dialled', text: string): void | Promise<void>;
  /** Cuts the carrier of the newest connection as a broken cable would. Without it the laws of a loss are not run. */
  cut?(): void | Promise<void>;
}

/** Serves `acceptor` and gives what dials to it. A remote one starts a process that serves `echoAcceptor()` instead. */
export type Serve = (acceptor: Acceptor) => Promise<Rig>;
