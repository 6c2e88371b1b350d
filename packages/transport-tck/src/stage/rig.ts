import type { Acceptor, Connection, Transport } from '@rxmcp/transport';
import { assert } from './verdict.js';

/** One freshly served transport; each law gets its own. */
export interface Rig {
  /** Dials to the acceptor that `serve` was given. */
  readonly transport: Transport;
  /** Stops serving and closes the connections that are left. Called once. */
  close(): Promise<void>;
  /**
   * Puts one raw frame in the way of the newest connection, as if the other side had sent it: a line, a socket message,
   * an event, whatever frames a message here; what ends a frame, such as a line feed, is the hook's to add. A frame is a
   * text, or bytes where no text can say it (not UTF-8). Give `false` for a frame that the carrier cannot carry, as a
   * carrier of texts does for bytes: that law is not run. Without the hook no garbage law is.
   */
  garbage?(towards: 'served' | 'dialled', frame: string | Uint8Array): Carried | Promise<Carried>;
  /**
   * Cuts the carrier of the newest connection as a broken cable would, so that the dialling side can tell it from an
   * orderly end: destroy the dialling side's own end of it, or reset it from the other side. Without it the laws of a
   * loss are not run.
   */
  cut?(): void | Promise<void>;
}

/** `false` = the carrier cannot carry such a frame. */
export type Carried = boolean | void;

/** Serves `acceptor` and gives what dials to it. A remote one starts a process that serves `echoAcceptor()` instead. */
export type Serve = (acceptor: Acceptor) => Promise<Rig>;

/** Fails, in the words of the rig's author, on what `serve` cannot have meant. */
export function checkRig(rig: Partial<Rig> | undefined): asserts rig is Rig {
  const dial = rig?.transport?.dial as unknown;
  assert(typeof dial === 'function', "the rig's `serve` resolved with no `transport` that has a `dial`");
  assert(typeof rig?.close === 'function', "the rig's `serve` resolved with no `close`");
}

/** Fails on what is no connection, which a forgotten `return` gives. */
export function checkConnection(
  connection: Partial<Connection> | undefined,
): asserts connection is Connection {
  assert(
    typeof connection === 'object' && connection !== null,
    `the rig's \`transport.dial\` resolved with ${String(connection)}, which is no Connection`,
  );
  for (const name of ['start', 'send', 'endLane', 'close'] as const) {
    const lacks = `the rig's \`transport.dial\` resolved with a Connection that has no \`${name}\``;
    assert(typeof connection[name] === 'function', lacks);
  }
}

/** What a part of the rig gives; its failure names the part. */
export async function partOfRig<T>(part: string, call: () => Promise<T> | T): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the rig's \`${part}\` failed: ${reason}`, { cause });
  }
}
