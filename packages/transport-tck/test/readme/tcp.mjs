import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { LineReader } from '@rxmcp/jsonrpc';
import { createConnection, pipeTraits, ConnectionSet, TransportError } from '@rxmcp/transport';

const maxLineBytes = 1024 * 1024;

/** A connection of lines over a socket; `isServer` where the other side dialled. */
export const overSocket = (socket, isServer = false) =>
  createConnection(
    (sink) => {
      let cause, drained;
      const reader = new LineReader({
        maxLineBytes,
        onLine: (text) => sink.text(text),
        // `reply` is what a server answers to a line that it cannot read.
        onFault: ({ code, rpcCode, message }) =>
          sink.fault(new TransportError(code, message, { reply: { error: { code: rpcCode, message } } })),
      });
      const lost = () => new TransportError('CONNECTION_LOST', 'the socket was lost', { cause });
      socket.on('error', (error) => (cause = error)); // 'close' follows
      const go = () => {
        drained = undefined;
        if (socket.isPaused()) socket.resume();
      };
      const ended = new Promise((resolve) => socket.once('close', resolve)).then(() => {
        reader.end(); // half a line is TRUNCATED
        sink.closed(socket.readableEnded ? undefined : lost());
      });
      return {
        start: () => void socket.on('data', (chunk) => reader.push(chunk)),
        send(text) {
          if (socket.write(`${text}\n`)) return;
          if (isServer && socket.readableFlowing) socket.pause(); // a client that reads no responses sends no more requests
          return (drained ??= once(socket, 'drain').then(go, () => ended)); // an end settles waiting sends
        },
        close() {
          const deadline = setTimeout(() => socket.destroy(), 1_000);
          socket.end().resume(); // sends what was accepted, drops what arrives
          return ended.then(() => clearTimeout(deadline));
        },
      };
    },
    { ...pipeTraits, maxMessageBytes: maxLineBytes },
  );

/** A transport that dials to a port of this machine. */
export const tcp = (port) => ({
  name: 'tcp',
  async dial({ signal } = {}) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect', { signal });
    } catch (cause) {
      socket.destroy();
      const code = signal?.aborted ? 'DIAL_ABORTED' : 'DIAL_FAILED';
      throw new TransportError(code, `no connection to port ${port}`, { cause });
    }
    return overSocket(socket);
  },
});

/** Serves on a free port. */
export async function serveTcp(handler) {
  const connections = new ConnectionSet(handler, () => server.close());
  const server = createServer((socket) => connections.accept(overSocket(socket, true)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: server.address().port, close: () => connections.close() };
}
