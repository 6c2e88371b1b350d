import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Reply } from '../requests.js';
import { clientFrame, FrameReader } from './frames.js';
import type { Wire } from './wire.js';

/** The status 1000. */
const normal = Buffer.from([0x03, 0xe8]);

/** A WebSocket without a library; each message is a write of its own. */
export class WebSocketWire implements Wire {
  take: Wire['take'] = () => undefined;
  fail: Wire['fail'] = () => undefined;
  private readonly frames = new FrameReader();
  private closed = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => this.read(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => {
      if (!this.closed) this.fail(new Error('the server closed the socket'));
    });
  }

  /** Resolves once the server accepted the upgrade. */
  static async open(url: string): Promise<WebSocketWire> {
    const { port, pathname } = new URL(url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const head = [
      `GET ${pathname} HTTP/1.1`,
      'host: localhost',
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol: mcp',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    // Servers say nothing of their own accord, so the answer comes alone.
    const [answer] = (await once(socket, 'data')) as [Buffer];
    const text = answer.toString('latin1');
    if (!text.startsWith('HTTP/1.1 101 ') || !text.endsWith('\r\n\r\n'))
      throw new Error(`no upgrade: ${text}`);
    return new WebSocketWire(socket);
  }

  send(request: string): void {
    this.socket.write(clientFrame('text', Buffer.from(request)));
  }

  notify(notification: string): Promise<void> {
    this.send(notification);
    return Promise.resolve();
  }

  close(): void {
    this.closed = true;
    this.socket.end(clientFrame('close', normal));
  }

  private read(chunk: Buffer): void {
    try {
      const replies: Reply[] = [];
      for (const { kind, payload } of this.frames.push(chunk)) {
        if (kind === 'text') replies.push(JSON.parse(payload.toString()) as Reply);
        else if (kind === 'ping') this.socket.write(clientFrame('pong', payload));
        else if (!this.closed)
          throw new Error(`the server sent a frame of the kind "${kind}": ${payload.toString()}`);
      }
      if (replies.length > 0) this.take(replies);
    } catch (error) {
      this.fail(error);
    }
  }
}
