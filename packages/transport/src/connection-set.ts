import type { ConnectionHandler, Connection, ServedConnection } from './contract.js';

/** What a listening side gives back: the way to end it. */
export interface ServeHandle {
  /**
   * Takes nobody new, drains every connection, then closes them. A listener whose clients answer over requests of their own
   * goes on until then, since running work may ask; any other one stops at once. Idempotent, never rejects.
   */
  drain(options?: DrainOptions): Promise<void>;
  /** Stops listening and closes every connection. Idempotent, never rejects. */
  close(): Promise<void>;
}

/** Options of a drain. */
export interface DrainOptions {
  /** How long running work may take, in milliseconds. @default 25000 */
  readonly timeoutMs?: number;
}

const defaultDrainMs = 25_000;

/** The connections of one listening side, with the handle that ends them: what every transport's serving side keeps. */
export class ConnectionSet implements ServeHandle {
  private readonly stop: () => void;
  private readonly open = new Map<Connection, ServedConnection>();
  private stopped = false;

  /**
   * Throws a TypeError for an acceptor that is none.
   *
   * @param stop Stops listening; called once, before anything is drained or closed.
   */
  constructor(
    private readonly handler: ConnectionHandler,
    stop: () => void = () => undefined,
  ) {
    if (typeof (handler as Partial<ConnectionHandler> | undefined)?.accept !== 'function') {
      throw new TypeError('a connection handler, such as a server, needs "accept"');
    }
    this.stop = stop;
  }

  /** How many connections are open. */
  get size(): number {
    return this.open.size;
  }

  /** Feeds one connection to the acceptor and keeps it until it has closed. One that comes after the stop is only closed. */
  accept(connection: Connection): ServedConnection {
    if (this.stopped) return refused(connection);
    const served = this.handler.accept(connection);
    this.open.set(connection, served);
    const forget = (): void => {
      this.open.delete(connection);
    };
    served.closed.then(forget, forget);
    return served;
  }

  async drain({ timeoutMs = defaultDrainMs }: DrainOptions = {}): Promise<void> {
    this.stopOnce();
    await Promise.allSettled([...this.open.values()].map((served) => served.drain({ timeoutMs })));
    await this.close();
  }

  async close(): Promise<void> {
    this.stopOnce();
    const open = [...this.open];
    await Promise.allSettled(open.map(([connection]) => connection.close()));
    for (const [connection] of open) this.open.delete(connection);
  }

  private stopOnce(): void {
    if (this.stopped) return;
    this.stopped = true;
    try {
      this.stop();
    } catch {
      // What cannot be stopped takes nobody either: who comes is closed. The connections are ended all the same.
    }
  }
}

/** A listener may still hand over what it had accepted when it was stopped; a throw there would end the process. */
function refused(connection: Connection): ServedConnection {
  const closed = connection.close().catch(() => undefined);
  return { drain: () => closed, closed };
}
