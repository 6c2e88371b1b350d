import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { frame } from './frames.js';

/** A relay in front of a server: puts frames of its own between those of both sides, and breaks like a cable. */
export interface Relay {
  readonly url: string;
  inject(towards: 'served' | 'dialled', text: string): void;
  /** Resets the newest connection. */
  cut(): void;
  /** Passes nothing on from now on, and reports nothing. */
  swallow(): void;
  close(): Promise<void>;
}

export async function relayTo(url: string): Promise<Relay> {
  const { port, hostname } = new URL(url);
  const pairs: { near: Socket; far: Socket }[] = [];
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    pairs.push({ near, far });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    inject(towards, text) {
      const { near, far } = pairs.at(-1) ?? {};
      if (towards === 'served') far?.write(frame(text));
      else near?.write(frame(text, { masked: false }));
    },
    cut: () => void pairs.at(-1)?.near.resetAndDestroy(),
    swallow() {
      for (const { near, far } of pairs) {
        near.unpipe().resume();
        far.unpipe().resume();
      }
    },
    async close() {
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}
