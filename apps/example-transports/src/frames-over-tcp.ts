import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, createServer as createTlsServer } from 'node:tls';
import { encodeFrame, FrameReader } from '@rxmcp/jsonrpc';
import {
  type Connection,
  type ConnectionHandler,
  ConnectionSet,
  createConnection,
  createTransport,
  pipeTraits,
  type Transport,
  TransportError,
} from '@rxmcp/transport';

const { maxMessageBytes } = pipeTraits;
const host = '127.0.0.1';

/** A connection over a socket: each message is its length in four bytes, then its text. */
export const overSocket = (socket: Socket, isServer = false): Connection =>
  createConnection(
    (sink) => {
      let cause: unknown;
      const reader = new FrameReader({
        maxFrameBytes: maxMessageBytes,
        onFrame: sink.bytes,
        onFault: sink.fault,
      });
      const lost = (): TransportError =>
        new TransportError('CONNECTION_LOST', 'the socket was lost', { cause });
      socket.on('error', (error) => (cause = error)); // 'close' follows
      const ended = new Promise((resolve) => socket.once('close', resolve)).then(() => {
        reader.end(); // half a frame is TRUNCATED
        sink.closed(socket.readableEnded ? undefined : lost());
      });
      return {
        start: () => void socket.on('data', (chunk: Uint8Array) => reader.push(chunk)),
        send(text) {
          if (socket.write(encodeFrame(text))) return;
          return new Promise((resolve, reject) => {
            socket.write('', (error) => (error ? reject(error) : resolve())); // after all before it
          });
        },
        pause: () => void socket.pause(), // a client that reads no responses sends no more requests
        resume: () => void socket.resume(),
        close() {
          const deadline = setTimeout(() => socket.destroy(), 1_000);
          socket.end().resume(); // sends what was accepted, drops what arrives
          return ended.then(() => clearTimeout(deadline));
        },
      };
    },
    pipeTraits,
    { isServer },
  );

/** A transport to a port of this machine, with TLS where `tls` has its options. */
export const framedTcp = (port: number, tls?: ConnectionOptions): Transport =>
  createTransport('framed-tcp', async (signal) => {
    const plain = connect({ port, host, signal });
    const socket = tls === undefined ? plain : connectTls({ ...tls, socket: plain });
    await once(socket, tls === undefined ? 'connect' : 'secureConnect');
    return overSocket(socket);
  });

/** Serves on a free port, with TLS where a certificate is given. */
export async function serveFramedTcp(
  handler: ConnectionHandler,
  tls?: { readonly cert: string; readonly key: string },
): Promise<ConnectionSet & { port: number }> {
  const connections = new ConnectionSet(handler, () => server.close());
  const accept = (socket: Socket): void => void connections.accept(overSocket(socket, true));
  const server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
  await once(server.listen(0, host), 'listening');
  return Object.assign(connections, { port: (server.address() as AddressInfo).port });
}
