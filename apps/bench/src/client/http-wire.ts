import { type BenchEra, type Reply, versions } from '../requests.js';
import { type HttpResponse, headerIn } from './http-response.js';
import { HttpPool, requestHead } from './http-pool.js';
import type { Wire } from './wire.js';

/** The headers of every message. */
export const jsonHeaders = [
  'content-type: application/json',
  'accept: application/json, text/event-stream',
] as const;

/** Streamable HTTP on connections that are kept alive: one POST per message, each answered with JSON. */
export class HttpWire implements Wire {
  take: Wire['take'] = () => undefined;
  readonly #heads = new Map<string, string>();
  #session = '';

  private constructor(
    private readonly era: BenchEra,
    private readonly pool: HttpPool,
    private readonly path: string,
  ) {}

  /** Opens as many connections as calls will be in flight. */
  static async open(url: string, era: BenchEra, connections: number): Promise<HttpWire> {
    const { port, pathname } = new URL(url);
    return new HttpWire(era, await HttpPool.open(Number(port), connections), pathname);
  }

  set fail(fail: Wire['fail']) {
    this.pool.fail = fail;
  }

  get sessionId(): string {
    return this.#session;
  }

  send(request: string, method: string): void {
    this.pool.send(this.#post(request, method), (response) => {
      const { status, body } = response;
      if (status !== 200) throw new Error(`a request was answered with ${status}: ${body.slice(0, 300)}`);
      if (method === 'initialize') this.#opened(response);
      this.take([JSON.parse(body) as Reply]);
    });
  }

  notify(notification: string, method: string): Promise<void> {
    return new Promise((resolve) => {
      this.pool.send(this.#post(notification, method), ({ status }) => {
        if (status !== 202) throw new Error(`a notification was answered with ${status}`);
        resolve();
      });
    });
  }

  close(): void {
    this.pool.close();
  }

  #opened({ head }: HttpResponse): void {
    this.#session = headerIn(head, 'mcp-session-id') ?? '';
    if (this.#session === '') throw new Error('a server opened no session');
  }

  #post(message: string, method: string): string {
    let head = this.#heads.get(method);
    if (head === undefined) this.#heads.set(method, (head = this.#head(method)));
    // What the bench says is ASCII: characters are bytes.
    return `${head}${message.length}\r\n\r\n${message}`;
  }

  #head(method: string): string {
    const version = `mcp-protocol-version: ${versions[this.era]}`;
    const tool = method === 'tools/call' ? ['mcp-name: echo'] : [];
    const own =
      this.era === 'modern'
        ? [version, `mcp-method: ${method}`, ...tool]
        : method === 'initialize'
          ? []
          : [version, `mcp-session-id: ${this.#session}`];
    return requestHead(`POST ${this.path}`, [...jsonHeaders, ...own, 'content-length: ']);
  }
}
