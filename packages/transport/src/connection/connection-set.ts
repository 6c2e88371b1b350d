import type { ConnectionHandler, Connection, ServedConnection } from '../contract/contract.js';

/** Ends a listening side. */
export interface ServeHandle {
  /**
   * Accepts no new connections, drains every open connection, then closes it. Where clients answer server requests over new
   * HTTP requests, the listener stays open until then, since running handlers may ask; other listeners stop at once.
   * Idempotent, never rejects.
   */
  drain(options?: DrainOptions): Promise<void>;
  /** Stops listening and closes every connection. Idempotent, never rejects. */
  close(): Promise<void>;
}

/** Options of {@link ServeHandle.drain}. */
export interface DrainOptions {
  /** How long running handlers may take, in milliseconds. @default 25000 */
  readonly timeoutMs?: number;
}

const defaultDrainMs = 25_000;

/** Keeps the connections of one listening side, and ends them. The server side of every transport has one. */
export class ConnectionSet implements ServeHandle {
  readonly #stop: () => unknown;
  readonly #open = new Map<Connection, ServedConnection>();
  #stopped = false;
  #stopping: Promise<unknown> | undefined;

  /**
   * @param handler Receives each connection. Throws a TypeError for a handler without `accept`.
   * @param stop Stops listening; called once, before anything is drained or closed. A promise that it returns is waited for while the
   * connections close. Where it fails, the connections end all the same.
   */
  constructor(
    private readonly handler: ConnectionHandler,
    stop: () => unknown = () => undefined,
  ) {
    if (typeof (handler as Partial<ConnectionHandler> | undefined)?.accept !== 'function') {
      throw new TypeError('a connection handler, such as a server, needs "accept"');
    }
    this.#stop = stop;
  }

  /** How many connections are open. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Passes one connection to the handler and keeps it until it has closed. Never throws: a connection is closed at once after the
   * stop, and where the handler throws.
   *
   * @param failed Receives what the handler threw, before the connection is closed.
   */
  accept(connection: Connection, failed?: (cause: unknown) => void): ServedConnection {
    if (this.#stopped) return rejected(connection);
    let served: ServedConnection;
    try {
      served = this.handler.accept(connection);
    } catch (cause) {
      failed?.(cause);
      return rejected(connection);
    }
    this.#open.set(connection, served);
    const forget = (): void => {
      this.#open.delete(connection);
    };
    served.closed.then(forget, forget);
    return served;
  }

  async drain({ timeoutMs = defaultDrainMs }: DrainOptions = {}): Promise<void> {
    this.#stopOnce();
    await Promise.allSettled([...this.#open.values()].map((served) => served.drain({ timeoutMs })));
    await this.close();
  }

  async close(): Promise<void> {
    this.#stopOnce();
    const open = [...this.#open];
    await Promise.allSettled([this.#stopping, ...open.map(([connection]) => connection.close())]);
    for (const [connection] of open) this.#open.delete(connection);
  }

  #stopOnce(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    // Where stopping fails, later connections are closed at once, and open connections end as well.
    this.#stopping = new Promise((resolve) => resolve(this.#stop())).catch(() => undefined);
  }
}

/** A listener may still hand over what it had accepted when it was stopped; a throw there would end the process. */
function rejected(connection: Connection): ServedConnection {
  const closed = connection.close().catch(() => undefined);
  return { drain: () => closed, closed };
}
