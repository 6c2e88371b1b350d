import { get, type IncomingMessage } from 'node:http';
import type { Reply } from '../requests.js';
import { HttpPool, requestHead } from './http-pool.js';
import type { Wire } from './wire.js';

// A server may answer a call on the stream before it answers its POST.
const spareConnections = 8;

/** HTTP+SSE: one POST per message on connections that are kept alive, the responses on one stream. */
export class SseWire implements Wire {
  take: Wire['take'] = () => undefined;
  #head = '';
  #rest = '';

  private constructor(
    private readonly pool: HttpPool,
    private readonly stream: IncomingMessage,
  ) {}

  /** Resolves once the server said where to post. */
  static async open(url: string, inFlight: number): Promise<SseWire> {
    const { port, pathname: path } = new URL(url);
    const pool = await HttpPool.open(Number(port), inFlight + spareConnections);
    const headers = { host: 'localhost', accept: 'text/event-stream' };
    const stream = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, host: '127.0.0.1', path, headers, agent: false }, resolve).on('error', reject);
    });
    const wire = new SseWire(pool, stream);
    await wire.#opened();
    return wire;
  }

  set fail(fail: Wire['fail']) {
    this.pool.fail = fail;
    this.stream.removeAllListeners('error').on('error', fail);
  }

  send(request: string): void {
    this.#post(request, () => undefined);
  }

  notify(notification: string): Promise<void> {
    return new Promise((resolve) => this.#post(notification, resolve));
  }

  close(): void {
    this.pool.close();
    this.stream.on('error', () => undefined).destroy();
  }

  #post(message: string, accepted: () => void): void {
    this.pool.send(`${this.#head}${message.length}\r\n\r\n${message}`, ({ status, body }) => {
      if (status !== 202) throw new Error(`a message was answered with ${status}: ${body.slice(0, 300)}`);
      accepted();
    });
  }

  #opened(): Promise<void> {
    return new Promise((resolve) => {
      this.stream.setEncoding('utf8').on('data', (text: string) => {
        const data = this.#dataOf(text);
        if (this.#head === '' && data.length > 0) {
          this.#head = headOf(data.shift() ?? '');
          resolve();
        }
        try {
          if (data.length > 0) this.take(data.map((one) => JSON.parse(one) as Reply));
        } catch (error) {
          this.pool.fail(error);
        }
      });
    });
  }

  /** What the events that are whole by now say. */
  #dataOf(text: string): string[] {
    const events = (this.#rest + text).split('\n\n');
    this.#rest = events.pop() ?? '';
    return events.flatMap((event) => {
      const line = event.split('\n').find((one) => one.startsWith('data: '));
      return line === undefined ? [] : [line.slice(6)];
    });
  }
}

function headOf(endpoint: string): string {
  const { pathname, search } = new URL(endpoint, 'http://localhost');
  return requestHead(`POST ${pathname}${search}`, ['content-type: application/json', 'content-length: ']);
}
