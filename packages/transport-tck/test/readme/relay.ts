import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { ConnectionHandler, Transport } from '@rxmcp/transport';
import type { Fixture } from '../../src/index.js';

/** A transport of lines over TCP. */
export interface Tcp {
  tcp(port: number): Transport;
  serveTcp(acceptor: ConnectionHandler): Promise<{ readonly port: number; close(): Promise<void> }>;
}

/** A relay between both sides of a TCP transport, which knows nothing of it: it puts frames in their way, and cuts them off. */
export async function relayed(acceptor: ConnectionHandler, { tcp, serveTcp }: Tcp): Promise<Fixture> {
  const served = await serveTcp(acceptor);
  let near: Socket | undefined;
  let far: Socket | undefined;
  const relay = createServer({ allowHalfOpen: true }, (socket) => {
    near = socket;
    far = connect({ port: served.port, host: '127.0.0.1', allowHalfOpen: true });
    join(near, far);
    join(far, near);
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const { port } = relay.address() as AddressInfo;
  return {
    transport: tcp(port),
    async close() {
      relay.close();
      await served.close();
    },
    injectFrame(towards, frame) {
      const into = towards === 'served' ? far : near;
      into?.write(frame);
      into?.write('\n');
    },
    cut() {
      near?.resetAndDestroy();
      far?.resetAndDestroy();
    },
  };
}

function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
}
