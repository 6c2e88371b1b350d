import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

const pruneAbove = 64;

/** The connections that carried no request yet: clients open spare ones, and Node would wait for them when it closes. */
export class Unused {
  private readonly sockets = new Set<Socket>();

  constructor(server: Server | SecureServer) {
    server.on('connection', this.opened);
    server.on('request', this.used);
  }

  /** Ends them. */
  cut(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
    this.sockets.clear();
  }

  private readonly opened = (socket: Socket): void => {
    this.sockets.add(socket);
    // No listener per connection: those that went without a request are looked for now and then.
    if (this.sockets.size > pruneAbove)
      for (const one of this.sockets) if (one.destroyed) this.sockets.delete(one);
  };

  private readonly used = ({ socket }: IncomingMessage): void => {
    this.sockets.delete(socket);
  };
}
