import type { OnReadOpts, Socket } from 'node:net';
import { loopTurns } from '../base/loop-turns.js';

/** All connections are read into it, one after the other, so that none keeps a buffer while it is idle. */
const piece = Buffer.allocUnsafeSlow(16 * 1024);

/**
 * Passes on what a connection has received in pieces of 16 KiB, in turns with other large input. Node reads up to 2 MiB of each connection in one
 * turn of the event loop, and to parse 16 KiB may take 15 ms, where they are chunks of one byte, or heads.
 */
export const readInTurns: OnReadOpts = {
  buffer: piece,
  callback(this: Socket, length: number) {
    const bytes = Buffer.from(piece.subarray(0, length));
    const isDue = loopTurns.read(length);
    if (isDue) pass(this, bytes);
    else passLater(this, bytes);
    return isDue;
  },
};

/** Nothing is read from the connection until then, since it would be passed on before these bytes, as would be its end. */
function passLater(socket: Socket, bytes: Buffer): void {
  let isResumed = false;
  // The reader of the response resumes the connection also where reading has been stopped here.
  socket.resume = () => {
    isResumed = true;
    return socket;
  };
  loopTurns.run(`responses of ${socket.remoteAddress}:${socket.remotePort}`, () => {
    delete (socket as Partial<Socket>).resume;
    if (isResumed) socket.resume();
    pass(socket, bytes);
    if (!socket.isPaused()) socket.resume();
  });
}

function pass(socket: Socket, bytes: Buffer): void {
  // A connection that is not in use receives nothing from an honest server.
  if (!socket.destroyed && !socket.emit('data', bytes)) socket.destroy();
}
