import type { Socket } from 'node:net';
import { encodeFrame, FrameReader } from '@rxmcp/jsonrpc';
import { type Connection, createConnection, pipeTraits, type Sink } from '@rxmcp/transport';

/** Messages with their length in front, with the frame reader. */
export const helpedFrames = (socket: Socket, isServer: boolean): Connection =>
  overSocket(socket, isServer, encodeFrame, (sink) => {
    const reader = new FrameReader({
      maxFrameBytes: pipeTraits.maxMessageBytes,
      onFrame: sink.bytes,
      onFault: sink.fault,
    });
    return (chunk) => reader.push(chunk);
  });

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The same by hand, with the checks that the contract requires of bytes. */
export const framesByHand = (socket: Socket, isServer: boolean): Connection =>
  overSocket(
    socket,
    isServer,
    (text) => {
      const body = Buffer.from(text);
      const head = Buffer.allocUnsafe(4);
      head.writeUInt32BE(body.length);
      return Buffer.concat([head, body]);
    },
    (sink) => {
      let rest: Buffer = Buffer.alloc(0);
      return (chunk) => {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        while (rest.length >= 4) {
          const end = 4 + rest.readUInt32BE(0);
          if (end > 4 + pipeTraits.maxMessageBytes) throw new Error('a frame is too large');
          if (rest.length < end) return;
          sink.text(decoder.decode(rest.subarray(4, end)));
          rest = rest.subarray(end);
        }
      };
    },
  );

function overSocket(
  socket: Socket,
  isServer: boolean,
  encode: (text: string) => Uint8Array,
  reader: (sink: Sink) => (chunk: Buffer) => void,
): Connection {
  return createConnection(
    (sink) => {
      socket.on('close', () => sink.closed()).on('error', () => undefined);
      return {
        start: () => void socket.on('data', reader(sink)),
        send(text) {
          if (socket.write(encode(text))) return;
          return new Promise((go) => void socket.once('drain', go));
        },
        close: () => void socket.end(),
      };
    },
    pipeTraits,
    { isServer },
  );
}
