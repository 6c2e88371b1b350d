import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parseResponse, type HttpResponse } from './http-response.js';

/** Takes the response to one request. */
export type ResponseTaker = (response: HttpResponse) => void;

interface Waiting {
  readonly request: string;
  readonly take: ResponseTaker;
}

/** The head of a request, without its end. Without the port, which differs, the bytes are the same for every contestant. */
export function requestHead(line: string, headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, 'host: localhost', ...headers].join('\r\n');
}

/** Connections that are kept alive; each carries one request at a time, in one write. */
export class HttpPool {
  /** Called when a connection breaks or sends something other than HTTP. */
  fail: (error: unknown) => void = () => undefined;
  readonly #idle: Line[] = [];
  readonly #all: Line[] = [];
  readonly #waiting: Waiting[] = [];
  #closed = false;

  /** Opens all its connections at once. */
  static async open(port: number, connections: number): Promise<HttpPool> {
    const pool = new HttpPool();
    await Promise.all(Array.from({ length: connections }, () => pool.#add(port)));
    return pool;
  }

  /**
   * Sends a request on a free connection, or on the next that becomes free. The connection that was idle longest is used first, since
   * servers close a connection that is idle for some seconds.
   */
  send(request: string, take: ResponseTaker): void {
    const line = this.#idle.shift();
    if (line === undefined) this.#waiting.push({ request, take });
    else line.send(request, take);
  }

  /** Ends all connections. */
  close(): void {
    this.#closed = true;
    for (const line of this.#all) line.socket.destroy();
  }

  async #add(port: number): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const line = new Line(
      socket,
      () => this.#free(line),
      (error) => {
        if (!this.#closed) this.fail(error);
      },
    );
    this.#all.push(line);
    await once(socket, 'connect');
    this.#idle.push(line);
  }

  #free(line: Line): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(line);
    else line.send(next.request, next.take);
  }
}

/** One connection and the response that it waits for. */
class Line {
  #rest: Buffer | undefined = undefined;
  #take: ResponseTaker | undefined = undefined;

  constructor(
    readonly socket: Socket,
    private readonly free: () => void,
    private readonly fail: (error: unknown) => void,
  ) {
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the server closed a connection')));
  }

  send(request: string, take: ResponseTaker): void {
    this.#take = take;
    this.socket.write(request);
  }

  #read(chunk: Buffer): void {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    try {
      const response = parseResponse(bytes);
      this.#rest = response === undefined ? bytes : undefined;
      if (response === undefined) return;
      const take = this.#take;
      if (take === undefined || response.size !== bytes.length) throw new Error('unexpected bytes');
      this.#take = undefined;
      this.free();
      take(response);
    } catch (error) {
      this.fail(error);
    }
  }
}
