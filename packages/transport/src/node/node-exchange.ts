import { AsyncResource } from 'node:async_hooks';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallerIdentity } from '../credentials/caller-identity.js';
import type { RequestHead } from '../guard/host-and-origin.js';
import { BodyReader, type BodySource } from '../http/body-reader.js';
import type {
  BodyLimits,
  BodyProblem,
  BodyTaker,
  ExchangeOwner,
  Headers,
  HttpExchange,
} from '../http/exchange.js';
import { loopTurns } from '../base/loop-turns.js';
import { holderName } from '../memory/memory-budget.js';
import type { UnreadOutput } from '../memory/unread-output.js';
import { addressHolder, hasBody, requestHead } from './request-head.js';
import { onResponseClosed } from './on-response-closed.js';
import { endBatched } from './batched-responses.js';
import { UnreadBody } from './unread-body.js';

/** A request of Node, or of a framework that has parsed its body into `body`. */
export type NodeRequest = IncomingMessage & { body?: unknown };

/** How long, and how many bytes, the rest of a rejected request is read, so that the client can read the response. */
const lingerMs = 500;
const lingerBytes = 4 * 1024 * 1024;
/** As how many bytes a chunk counts there at least: a chunk of one byte takes as much time as a large one. */
const lingerChunkBytes = 16 * 1024;
/** Longer texts, in characters, are encoded once: before their length is known. */
const longChars = 16 * 1024;

/**
 * An exchange over Node's request and response, without creating the web platform's objects. It is its own async resource: Node emits
 * `end` of a body outside the context of the request's handler, and an additional object for each request would cost more.
 */
export class NodeExchange extends AsyncResource implements BodySource {
  before: HttpExchange | undefined = undefined;
  after: HttpExchange | undefined = undefined;
  owner: ExchangeOwner | undefined = undefined;
  caller: CallerIdentity | undefined = undefined;
  address: string | undefined = undefined;
  extra: Headers | undefined = undefined;
  since = 0;
  heldBytes = 0;
  unread: UnreadOutput | undefined = undefined;
  readonly head: RequestHead;
  reader: BodyReader | undefined = undefined;
  /** Whether the handler has returned, so that no framework around it ends the response. */
  #isEntered = false;
  /** Whether the whole response is written. */
  #hasResponded = false;
  #draining = false;
  #watched = false;
  #name: string | undefined = undefined;
  #unreadBody: UnreadBody | undefined = undefined;

  /** @param given The body where a framework has read it; `undefined` where it is in `request.body` or not read yet. */
  constructor(
    readonly request: NodeRequest,
    readonly response: ServerResponse,
    private readonly given?: unknown,
  ) {
    super('RxmcpRequest');
    this.head = requestHead(request);
    onResponseClosed(request, response, () => this.#closed());
  }

  /** The handler has returned. What arrives of a body that it has not begun to read is charged. */
  entered(): void {
    const { request } = this;
    this.#isEntered = true;
    if (this.reader !== undefined || this.#hasResponded || request.complete || !hasBody(request)) return;
    this.#unreadBody = new UnreadBody(request, () => this.cut());
  }

  get holder(): string {
    const { caller, address, request } = this;
    if (caller === undefined && address === undefined) return addressHolder(request.socket);
    return (this.#name ??= holderName(caller?.principal, address));
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
    const { request } = this;
    const body = this.given ?? request.body;
    if (request.readableEnded || (body !== undefined && !isEmpty(body))) {
      if (body === undefined) taker.unreadable(this, 'broken');
      else this.#taken(body, limits.maxMessageBytes, taker);
      return;
    }
    const length = request.headers['content-length'];
    const declared = length === undefined ? undefined : Number(length);
    const reader = BodyReader.begin(this, limits, taker, declared);
    if (reader !== undefined) {
      request.on('data', reader.chunk).on('end', this.#bodyEnded);
      this.#readBody();
    }
  }

  rejectBody(problem: BodyProblem): void {
    this.reader?.reject(problem);
  }

  stopReading(): void {
    const { request, reader } = this;
    if (reader !== undefined) request.off('data', reader.chunk).off('end', this.#bodyEnded).pause();
  }

  textOf(bytes: Uint8Array): string | undefined {
    const buffer = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const text = buffer.toString('utf8');
    // Only a text with U+FFFD can come from invalid UTF-8.
    if (text.includes('\ufffd') && !isUtf8(bytes)) return undefined;
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  respond(status: number, headers: Headers, text?: string): void {
    const { response } = this;
    if (response.headersSent || response.destroyed) return;
    const all: string[] = [];
    for (const name in headers) all.push(name, headers[name] as string);
    for (const name in this.extra) all.push(name, this.extra[name] as string);
    const body = text !== undefined && text.length > longChars ? Buffer.from(text) : text;
    const bytes = Buffer.byteLength(body ?? '');
    if (bytes > 0 || status !== 204) all.push('content-length', String(bytes));
    // Node would read all chunks of a body that is not wanted.
    const { headers: received, complete } = this.request;
    const isUnread = this.reader === undefined && !complete && received['transfer-encoding'] !== undefined;
    const closes = headers['connection'] === 'close' || isUnread;
    if (closes && headers['connection'] === undefined) all.push('connection', 'close');
    response.writeHead(status, all);
    this.#hasResponded = true;
    this.#readBody();
    if (closes) this.#endLater(body);
    else if (this.#isEntered) endBatched(this.request.socket, response, body);
    else response.end(body);
  }

  open(headers: Headers): void {
    const { response } = this;
    if (response.headersSent || response.destroyed) return;
    // The `close` event reports a broken connection.
    response.on('error', ignore);
    response.writeHead(200, this.extra === undefined ? { ...headers } : { ...headers, ...this.extra });
    // A stream of a GET stays open: V8 joins the text of a head that is written alone, of which it would keep 24 pieces.
    if (this.request.method === 'GET') response.flushHeaders();
  }

  write(text: string): boolean {
    const { response } = this;
    if (response.destroyed || response.writableEnded) return true;
    const taken = response.write(text);
    if (!taken && !this.#draining) {
      this.#draining = true;
      response.once('drain', () => {
        this.#draining = false;
        this.owner?.drained(this);
      });
    }
    return taken;
  }

  end(): void {
    if (!this.#hasResponded && !this.response.writableEnded) this.response.end();
  }

  cut(): void {
    this.response.destroy();
    this.request.destroy();
    // `destroy` of a response that waits behind another one would take effect only in its turn.
    if (this.response.socket === null) this.request.socket.destroy();
  }

  stallsAfter(ms: number): void {
    const { response } = this;
    if (!this.#watched && ms > 0) {
      this.#watched = true;
      // Node checks whether bytes leave the socket, not only whether new ones arrive.
      response.on('timeout', () => (this.owner === undefined ? this.cut() : this.owner.stalled(this)));
    }
    response.setTimeout(ms);
  }

  /** Encodes a parsed body again, so that the same limits of depth and size apply. */
  #taken(body: unknown, maxBytes: number, taker: BodyTaker): void {
    const isBytes = body instanceof Uint8Array;
    const whole = isBytes ? body : typeof body === 'string' ? body : written(body);
    if (Buffer.byteLength(whole) > maxBytes) return taker.unreadable(this, 'too-large');
    const text = typeof whole === 'string' ? whole : this.textOf(whole);
    if (text === undefined) taker.unreadable(this, 'not-utf-8');
    else taker.body(this, text);
  }

  /** Reads the rest of a request for a moment: closing while bytes arrive makes the operating system drop the response. */
  #endLater(body: string | Uint8Array | undefined): void {
    const { request, response } = this;
    const end = (): void => {
      clearTimeout(timer);
      response.end();
    };
    const timer = setTimeout(end, lingerMs);
    response.on('error', ignore);
    if (body !== undefined) response.write(body);
    request.once('end', end);
    response.once('close', end);
    let left = lingerBytes;
    const rest = ({ length }: Uint8Array): void => {
      left -= Math.max(length, lingerChunkBytes);
      if (left >= 0) return;
      end();
      // The end waits for the system, and Node would read on for as long.
      request.destroy();
    };
    request.on('data', rest).resume();
  }

  #readBody(): void {
    this.#unreadBody?.passOn();
    this.#unreadBody = undefined;
  }

  readonly #bodyEnded = (): void => {
    const { reader } = this;
    if (reader !== undefined) this.runInAsyncScope(reader.ended, reader);
  };

  /** The response has ended or its connection has closed. */
  #closed(): void {
    const { reader } = this;
    this.reader = undefined;
    reader?.release();
    this.unread?.end();
    this.#readBody();
    if (this.owner === undefined) return;
    // A thousand connections may close at once, and the end of each ends work.
    if (this.response.writableFinished) this.#reportEnd();
    else loopTurns.run(this.holder, () => this.#reportEnd());
  }

  /** Reports to the owner that it has by then: meanwhile, a stream may have begun that no client reads. */
  #reportEnd(): void {
    const { owner } = this;
    this.owner = undefined;
    owner?.ended(this);
  }
}

const none: readonly (readonly [string, string])[] = [];
const ignore = (): void => undefined;

function written(body: unknown): string {
  try {
    return JSON.stringify(body) ?? '';
  } catch {
    // Nested too deep, or not JSON: decoding reports it.
    return '';
  }
}

/** The values of `request.body` in frameworks that did not read it. */
function isEmpty(body: unknown): boolean {
  return (body as object | null)?.constructor === Object && Object.keys(body as object).length === 0;
}
