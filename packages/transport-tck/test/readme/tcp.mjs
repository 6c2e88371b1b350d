import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { LineReader } from '@rxmcp/jsonrpc';
import { connectionOf, pipeTraits, Serving, TransportError } from '@rxmcp/transport';
import { wireErrorToFault } from '@rxmcp/transport/internal';

const maxBytes = 1024 * 1024;

/** A connection of lines over a socket; `served` where the other side dialled. */
export const overSocket = (socket, served = false) =>
  connectionOf(
    (sink) => {
      let cause, drained;
      const line = (text) => sink.text(text);
      const reader = new LineReader({
        maxBytes,
        line,
        fault: (error) => sink.fault(wireErrorToFault(error)),
      });
      const lost = () => new TransportError('CONNECTION_LOST', 'The socket was lost.', { cause });
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
          if (served && socket.readableFlowing) socket.pause(); // a client that reads no responses sends no more requests
          return (drained ??= once(socket, 'drain').then(go, () => ended)); // an end settles waiting sends
        },
        close() {
          const deadline = setTimeout(() => socket.destroy(), 1_000);
          socket.end().resume(); // sends what was accepted, drops what arrives
          return ended.then(() => clearTimeout(deadline));
        },
      };
    },
    { ...pipeTraits, maxMessageBytes: maxBytes },
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
      throw new TransportError(code, `No connection to port ${port}.`, { cause });
    }
    return overSocket(socket);
  },
});

/** Serves on a free port. */
export async function serveTcp(acceptor) {
  const serving = new Serving(acceptor, () => server.close());
  const server = createServer((socket) => serving.accept(overSocket(socket, true)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: server.address().port, close: () => serving.close() };
}
