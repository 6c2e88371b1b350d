import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Reply } from '../requests.js';
import type { Wire } from './wire.js';

/** A WebSocket; each message is a frame and a write of its own. */
export class WebSocketWire implements Wire {
  take: Wire['take'] = () => undefined;
  fail: Wire['fail'] = () => undefined;
  #closed = false;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      try {
        this.take([JSON.parse(data.toString()) as Reply]);
      } catch (error) {
        this.fail(error);
      }
    });
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => {
      if (!this.#closed) this.fail(new Error('the server closed the socket'));
    });
  }

  /** Resolves once the server accepted the upgrade. */
  static async open(url: string): Promise<WebSocketWire> {
    const socket = new WebSocket(url, 'mcp', { perMessageDeflate: false });
    await once(socket, 'open');
    return new WebSocketWire(socket);
  }

  send(request: string): void {
    this.socket.send(request);
  }

  notify(notification: string): Promise<void> {
    this.socket.send(notification);
    return Promise.resolve();
  }

  close(): void {
    this.#closed = true;
    this.socket.close(1_000);
  }
}
