import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { duplexConnection } from '@rxmcp/stdio/net';
import { type ConnectionHandler, ConnectionSet, createTransport, type Transport } from '@rxmcp/transport';

export const tcp = (port: number): Transport =>
  createTransport('tcp', async (signal) => {
    const socket = connect({ port, host: '127.0.0.1', signal });
    await once(socket, 'connect');
    return duplexConnection(socket, { redialable: true });
  });

export async function serveTcp(handler: ConnectionHandler): Promise<ConnectionSet & { port: number }> {
  const connections = new ConnectionSet(handler, () => server.close());
  const server = createServer((socket) => connections.accept(duplexConnection(socket, { isServer: true })));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return Object.assign(connections, { port: (server.address() as AddressInfo).port });
}
