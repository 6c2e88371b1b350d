import type { Client, Server } from '@rxmcp/core';

/** The argument of `client.connect`. */
export type Transport = Parameters<Client['connect']>[0];
export type Connection = Awaited<ReturnType<Transport['dial']>>;
export type Receiver = Parameters<Connection['start']>[0];
export type Outgoing = Parameters<Connection['send']>[0];

/** One end of a connection within the process: messages are copied, and delivered in microtasks, in order. */
export class InProcessConnection implements Connection {
  readonly traits: Connection['traits'];
  #receiver: Receiver | undefined = undefined;
  #other: InProcessConnection | undefined = undefined;
  #waiting: unknown[] = [];
  #over = false;

  private constructor(redialable: boolean) {
    this.traits = {
      lanes: 'shared',
      idScope: 'connection',
      serverInitiates: true,
      clientReplies: true,
      carriesHeaders: false,
      redialable,
      maxMessageBytes: Infinity,
    };
  }

  /** Makes the two ends: the dialling one and the serving one. */
  static pair(): readonly [dialled: InProcessConnection, served: InProcessConnection] {
    const [dialled, served] = [new InProcessConnection(true), new InProcessConnection(false)];
    dialled.#other = served;
    served.#other = dialled;
    return [dialled, served];
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    for (const message of this.#waiting.splice(0)) this.#deliver(message);
  }

  send(out: Outgoing): Promise<void> {
    const message: unknown = JSON.parse('text' in out ? out.text : JSON.stringify(out));
    this.#other?.take(message);
    return Promise.resolve();
  }

  endLane(): void {
    // There is one lane only.
  }

  close(): Promise<void> {
    this.#end();
    if (this.#other !== undefined) this.#other.#end();
    return Promise.resolve();
  }

  /** Takes a message as if the other side had sent it. */
  take(message: unknown): void {
    if (this.#receiver === undefined) this.#waiting.push(message);
    else this.#deliver(message);
  }

  #deliver(message: unknown): void {
    queueMicrotask(() => {
      if (!this.#over) this.#receiver?.received(message);
    });
  }

  #end(): void {
    if (this.#over) return;
    // What was sent before still arrives.
    queueMicrotask(() => {
      if (this.#over) return;
      this.#over = true;
      this.#receiver?.closed();
    });
  }
}

/** A transport, and the place to serve it: `memory()` for one. */
export interface TestLink extends Transport {
  serve(server: Server): { close(): Promise<unknown> };
}

/** A link without a queue, whose last connection can be reached. */
interface InProcess extends TestLink {
  readonly dialled: InProcessConnection | undefined;
}

/** Makes a link within the process. It is served before it is dialled. */
export function inProcess(): InProcess {
  let served: Server | undefined;
  let dialled: InProcessConnection | undefined;
  return {
    name: 'fake',
    get dialled() {
      return dialled;
    },
    dial() {
      const [near, far] = InProcessConnection.pair();
      dialled = near;
      served?.accept(far);
      return Promise.resolve(near);
    },
    serve(server) {
      served = server;
      return { close: async () => dialled?.close() };
    },
  };
}
