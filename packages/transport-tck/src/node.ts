import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { RelayEnd } from './relay/disturbance.js';
import { Relay, type RelayOptions } from './relay/relay.js';

export type { RelayOptions, TcpRelay };

/** Where the served side of a transport listens: a port, by default of 127.0.0.1, or the path of a Unix socket. */
export type RelayTarget = { readonly port: number; readonly host?: string } | { readonly path: string };

/** Lies between both sides of a transport over TCP or a Unix socket. */
class TcpRelay extends Relay {
  readonly #server: Server;
  /** Those that have not closed, and the kinds of their handles. */
  readonly #sockets = new Map<Socket, string>();
  readonly #farKind: string;

  constructor(target: RelayTarget, options?: RelayOptions) {
    super(options);
    this.#farKind = 'path' in target ? 'PipeWrap' : 'TCPSocketWrap';
    const both = { allowHalfOpen: true, noDelay: true };
    this.#server = createServer(both, (near) =>
      this.#connect(near, connect({ host: '127.0.0.1', ...target, ...both })),
    );
  }

  /** The port on 127.0.0.1 to dial instead of the served one. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** How many sockets are open, on both sides. */
  get sockets(): number {
    return this.#sockets.size;
  }

  override get handles(): readonly string[] {
    return [...this.#sockets.values()];
  }

  async listen(): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  /** Stops the relay and closes its sockets. Call it after the served side has closed. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets.keys()) socket.destroy();
    await closed;
  }

  #connect(near: Socket, far: Socket): void {
    const { towardsServed, towardsDialled } = this.join(endOf(far), endOf(near));
    for (const [from, flow] of [
      [near, towardsServed],
      [far, towardsDialled],
    ] as const) {
      this.#sockets.set(from, from === far ? this.#farKind : 'TCPSocketWrap');
      from.on('data', (chunk: Uint8Array) => {
        const waits = flow.pass(chunk);
        if (waits === undefined) return;
        from.pause();
        void waits.then(() => from.resume());
      });
      from.on('end', () => flow.end());
      from.on('error', () => flow.cut());
      from.on('close', () => this.#sockets.delete(from));
    }
  }
}

/**
 * Starts a relay on a free port of 127.0.0.1, which knows nothing of the transport. Dial to its port, and return it as `relay`
 * from `serve`.
 *
 * @param target Where the served side listens.
 * @throws The error of `listen`.
 */
export function relayTo(target: RelayTarget, options?: RelayOptions): Promise<TcpRelay> {
  return new TcpRelay(target, options).listen();
}

function endOf(socket: Socket): RelayEnd {
  const waiting = new Set<() => void>();
  const go = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  socket.on('drain', go).on('close', go);
  return {
    write(chunk) {
      if (socket.destroyed || socket.write(chunk)) return;
      return new Promise((resolve) => waiting.add(resolve));
    },
    end: () => void socket.end(),
    cut() {
      // A Unix socket, which has no address, cannot be reset. Node.js never closes one that is reset while its end is on the way.
      if (socket.writableEnded || socket.remoteAddress === undefined) socket.destroy();
      else socket.resetAndDestroy();
    },
  };
}
