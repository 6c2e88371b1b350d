import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A relay to a port, which can put bytes in between and cut the newest connections. */
export interface Relay {
  readonly port: number;
  /** Writes bytes to one side of the newest connection. */
  write(towards: 'served' | 'dialled', bytes: Uint8Array | string): void;
  /** Resets the connections since the last cut. */
  cut(): void;
  close(): void;
}

/** Listens on a free port and relays to another, or to a Unix socket. */
export async function relayTo(target: number | string): Promise<Relay> {
  let pairs: (readonly [near: Socket, far: Socket])[] = [];
  const relay = createServer({ allowHalfOpen: true }, (near) => {
    const to = typeof target === 'string' ? { path: target } : { port: target, host: '127.0.0.1' };
    const far = connect({ ...to, allowHalfOpen: true });
    pairs.push([near, far]);
    join(near, far);
    join(far, near);
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (relay.address() as AddressInfo).port,
    write(towards, bytes) {
      const [near, far] = pairs.at(-1) ?? [];
      (towards === 'served' ? far : near)?.write(bytes);
    },
    cut() {
      for (const [near, far] of pairs) {
        near.resetAndDestroy();
        far.destroy();
      }
      pairs = [];
    },
    close: () => void relay.close(),
  };
}

function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
}
