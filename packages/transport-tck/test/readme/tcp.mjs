import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { LineReader } from '@rxmcp/jsonrpc';
import {
  ConnectionSet,
  createConnection,
  createTransport,
  pipeTraits,
  TransportError,
} from '@rxmcp/transport';

const maxLineBytes = 1024 * 1024;

/** A connection of lines over a socket; `isServer` where the other side dialled. */
export const overSocket = (socket, isServer = false) =>
  createConnection(
    (sink) => {
      let cause, drained;
      const reader = new LineReader({ maxLineBytes, onLine: sink.text, onFault: sink.fault });
      const lost = () => new TransportError('CONNECTION_LOST', 'the socket was lost', { cause });
      socket.on('error', (error) => (cause = error)); // 'close' follows
      const go = () => void (drained = undefined);
      const ended = new Promise((resolve) => socket.once('close', resolve)).then(() => {
        reader.end(); // half a line is TRUNCATED
        sink.closed(socket.readableEnded ? undefined : lost());
      });
      return {
        start: () => void socket.on('data', (chunk) => reader.push(chunk)),
        send(text) {
          if (socket.write(`${text}\n`)) return;
          return (drained ??= once(socket, 'drain').then(go, () => ended)); // an end settles waiting sends
        },
        pause: () => socket.pause(), // a client that reads no responses sends no more requests
        resume: () => socket.resume(),
        close() {
          const deadline = setTimeout(() => socket.destroy(), 1_000);
          socket.end().resume(); // sends what was accepted, drops what arrives
          return ended.then(() => clearTimeout(deadline));
        },
      };
    },
    { ...pipeTraits, maxMessageBytes: maxLineBytes },
    { isServer },
  );

/** A transport that dials to a port of this machine. */
export const tcp = (port) =>
  createTransport('tcp', async (signal) => {
    const socket = connect({ port, host: '127.0.0.1', signal });
    await once(socket, 'connect');
    return overSocket(socket);
  });

/** Serves on a free port. */
export async function serveTcp(handler) {
  const connections = new ConnectionSet(handler, () => server.close());
  const server = createServer((socket) => connections.accept(overSocket(socket, true)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: server.address().port, close: () => connections.close() };
}
