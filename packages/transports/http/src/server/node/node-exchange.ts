import type { ServerResponse } from 'node:http';
import type { RequestHead } from '@rxmcp/transport/guard';
import { endTogether, headOf, onceOver } from '@rxmcp/transport/node';
import type { BodyLimits, BodyTaker, ExchangeOwner, Headers, HttpExchange } from '../exchange.js';
import type { HeldBody, NodeRequest } from './read-body.js';
import { readBody } from './read-body.js';

/** One exchange straight on Node's request and response: nothing of the web's is made on this way. */
export class NodeExchange implements HttpExchange {
  before: HttpExchange | undefined = undefined;
  after: HttpExchange | undefined = undefined;
  owner: ExchangeOwner | undefined = undefined;
  principal: string | undefined = undefined;
  extra: Headers | undefined = undefined;
  since = 0;
  readonly head: RequestHead;
  /** The body while it is held. */
  held: HeldBody | undefined = undefined;
  /** The handler has returned, and no framework around it ends the response any more. */
  isEntered = false;
  /** Whole, and on its way. */
  private answered = false;
  private draining = false;
  private watched = false;

  constructor(
    readonly request: NodeRequest,
    readonly response: ServerResponse,
  ) {
    this.head = headOf(request);
    onceOver(request, response, () => this.closed());
  }

  get isOver(): boolean {
    return this.response.destroyed || this.request.socket.destroyed;
  }

  get queuedBytes(): number {
    return this.response.writableLength;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === 'string' || value === undefined ? value : value.join(', ');
  }

  startingWith(start: string): readonly (readonly [string, string])[] {
    const { headers } = this.request;
    let found: (readonly [string, string])[] | undefined;
    for (const name in headers) {
      if (name.startsWith(start)) (found ??= []).push([name.slice(start.length), String(headers[name])]);
    }
    return found ?? none;
  }

  read(limits: BodyLimits, taker: BodyTaker): void {
    readBody(this, limits, taker);
  }

  answer(status: number, headers: Headers, text?: string): void {
    const { response } = this;
    if (response.headersSent || response.destroyed) return;
    const all: string[] = [];
    for (const name in headers) all.push(name, headers[name] as string);
    for (const name in this.extra) all.push(name, this.extra[name] as string);
    if (text !== undefined) all.push('content-length', String(Buffer.byteLength(text)));
    else if (status !== 204) all.push('content-length', '0');
    response.writeHead(status, all);
    this.answered = true;
    if (this.isEntered) endTogether(this.request.socket, response, text);
    else response.end(text);
  }

  open(headers: Headers): void {
    const { response } = this;
    if (response.headersSent || response.destroyed) return;
    // A broken connection is told by its close.
    response.on('error', ignore);
    response.writeHead(200, this.extra === undefined ? { ...headers } : { ...headers, ...this.extra });
  }

  write(text: string): boolean {
    const { response } = this;
    if (response.destroyed || response.writableEnded) return true;
    const taken = response.write(text);
    if (!taken && !this.draining) {
      this.draining = true;
      response.once('drain', () => {
        this.draining = false;
        this.owner?.drained(this);
      });
    }
    return taken;
  }

  end(): void {
    if (!this.answered && !this.response.writableEnded) this.response.end();
  }

  cut(): void {
    this.response.destroy();
    this.request.destroy();
    // A response whose turn has not come would only cut its socket once it has.
    if (this.response.socket === null) this.request.socket.destroy();
  }

  stallsAfter(ms: number): void {
    const { response } = this;
    if (!this.watched && ms > 0) {
      this.watched = true;
      // Node looks whether bytes leave the socket, not only whether new ones come.
      response.on('timeout', () => (this.owner === undefined ? this.cut() : this.owner.stalled(this)));
    }
    response.setTimeout(ms);
  }

  /** Nothing more goes out. */
  private closed(): void {
    const { held, owner } = this;
    this.held = undefined;
    held?.release();
    this.owner = undefined;
    owner?.left(this);
  }
}

const none: readonly (readonly [string, string])[] = [];
const ignore = (): void => undefined;
