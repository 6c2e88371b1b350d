import type { CallerIdentity } from '../credentials/caller-identity.js';
import type { RequestHead } from '../guard/host-and-origin.js';
import { holderName } from '../memory/memory-budget.js';
import type { UnreadOutput } from '../memory/unread-output.js';
import { setUnrefTimeout } from '../base/timers.js';
import { BodyReader, type BodySource } from './body-reader.js';
import type { BodyLimits, BodyProblem, BodyTaker, ExchangeOwner, Headers, HttpExchange } from './exchange.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });
/** How many bytes may wait in a stream before `write` returns false. A longer response is a stream, and over when it has been read. */
const highWaterBytes = 64 * 1024;
/** What an adapter reads of a body before it passes it on is not charged, in bytes. */
const wholeBytes = 16 * 1024;

/** An exchange over the web platform's `Request` and `Response`. */
export class WebExchange implements BodySource {
  before: HttpExchange | undefined = undefined;
  after: HttpExchange | undefined = undefined;
  owner: ExchangeOwner | undefined = undefined;
  caller: CallerIdentity | undefined = undefined;
  address: string | undefined = undefined;
  extra: Headers | undefined = undefined;
  since = 0;
  heldBytes = 0;
  unread: UnreadOutput | undefined = undefined;
  isOver = false;
  readonly head: RequestHead;
  readonly response: Promise<Response>;
  reader: BodyReader | undefined = undefined;
  #body: ReadableStreamDefaultReader<Uint8Array> | undefined = undefined;
  #resolve: (response: Response) => void = () => undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined = undefined;
  #lagging = false;
  #alarm: ReturnType<typeof setTimeout> | undefined = undefined;
  #writtenBytes = 0;
  #isEnded = false;

  constructor(readonly request: Request) {
    this.head = headOf(request);
    this.response = new Promise((resolve) => (this.#resolve = resolve));
    if (request.signal.aborted) this.#over();
    else request.signal.addEventListener('abort', this.#over, { once: true });
  }

  get holder(): string {
    return holderName(this.caller?.principal, this.address);
  }

  get queuedBytes(): number {
    const room = this.#controller?.desiredSize ?? highWaterBytes;
    return highWaterBytes - room;
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined;
  }

  startingWith(start: string): readonly (readonly [string, string])[] {
    const found: [string, string][] = [];
    for (const [name, value] of this.request.headers) {
      if (name.startsWith(start)) found.push([name.slice(start.length), value]);
    }
    return found;
  }

  read(limits: BodyLimits, taker: BodyTaker): void {
    const { request } = this;
    const length = Number(request.headers.get('content-length') ?? Number.NaN);
    const declared = length >= 0 ? length : undefined;
    const reader = BodyReader.begin(this, limits, taker, declared);
    // An adapter's class creates the body stream only when it is read, at twice the cost of the request. Its web server ends the body
    // at the declared length. The body of another request may be longer, so it is read in pieces.
    const isShort = declared !== undefined && declared <= wholeBytes;
    const asWhole = isShort && Object.getPrototypeOf(request) !== Request.prototype;
    if (reader !== undefined) void this.#feed(reader, asWhole).catch(() => reader.reject('broken'));
  }

  rejectBody(problem: BodyProblem): void {
    this.reader?.reject(problem);
  }

  stopReading(): void {
    void this.#body?.cancel().catch(() => undefined);
  }

  textOf(bytes: Uint8Array): string | undefined {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  }

  respond(status: number, headers: Headers, text?: string): void {
    if (text !== undefined && text.length > highWaterBytes) {
      this.#stream(status, headers);
      this.write(text);
      return this.end();
    }
    this.#resolve(new Response(text ?? null, { status, headers: { ...headers, ...this.extra } }));
    queueMicrotask(this.#over);
  }

  open(headers: Headers): void {
    this.#stream(200, headers);
  }

  #stream(status: number, headers: Headers): void {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          if (!this.#lagging) return;
          this.#lagging = false;
          if (this.#isEnded) this.#conclude();
          else this.owner?.drained(this);
        },
        cancel: () => this.#over(),
      },
      { highWaterMark: highWaterBytes, size: (chunk) => chunk.byteLength },
    );
    this.#resolve(new Response(body, { status, headers: { ...headers, ...this.extra } }));
  }

  write(text: string): boolean {
    const controller = this.#controller;
    if (this.isOver || this.#isEnded || controller === undefined) return true;
    const bytes = encoder.encode(text);
    this.#writtenBytes += bytes.byteLength;
    // In pieces, so that progress of a slow reader is visible.
    for (let at = 0; at < bytes.byteLength; at += highWaterBytes)
      controller.enqueue(bytes.subarray(at, at + highWaterBytes));
    this.#lagging = (controller.desiredSize ?? 0) <= 0;
    return !this.#lagging;
  }

  end(): void {
    if (this.isOver || this.#isEnded) return;
    this.#isEnded = true;
    // While the reader lags, what it has not read is kept: the exchange is over once it has caught up.
    if (!this.#lagging) this.#conclude();
  }

  cut(): void {
    if (!this.isOver) this.#controller?.error(new Error('the stream was cut'));
    if (this.#controller === undefined) this.respond(503, {});
    this.#over();
  }

  stallsAfter(ms: number): void {
    clearTimeout(this.#alarm);
    if (ms > 0 && !this.isOver) this.#watch(ms);
  }

  async #feed(reader: BodyReader, asWhole: boolean): Promise<void> {
    if (asWhole) reader.chunk(new Uint8Array(await this.request.arrayBuffer()));
    else {
      this.#body = this.request.body?.getReader();
      for (let next = await this.#body?.read(); next?.done === false; next = await this.#body?.read())
        reader.chunk(next.value);
    }
    reader.ended();
  }

  /** A reader has stalled only if it accepts nothing at all, also of the rest after the end. */
  #watch(ms: number): void {
    const taken = this.#writtenBytes - this.queuedBytes;
    this.#alarm = setUnrefTimeout(() => {
      if (this.#writtenBytes - this.queuedBytes > taken) this.#watch(ms);
      else if (this.#isEnded) {
        this.#controller?.error(new Error('the rest of the stream was not read'));
        this.#over();
      } else this.owner?.stalled(this);
    }, ms);
  }

  #conclude(): void {
    this.#controller?.close();
    queueMicrotask(this.#over);
  }

  readonly #over = (): void => {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.#alarm);
    this.request.signal.removeEventListener('abort', this.#over);
    this.reader?.release();
    this.unread?.end();
    // The web server still waits for a response to the aborted request, although no client reads it.
    this.#resolve(new Response(null, { status: 499 }));
    const { owner } = this;
    this.owner = undefined;
    owner?.ended(this);
  };
}

function headOf(request: Request): RequestHead {
  const url = new URL(request.url);
  return {
    method: request.method,
    target: `${url.pathname}${url.search}`,
    secure: url.protocol === 'https:',
    headerValues(name) {
      const value = request.headers.get(name);
      if (value !== null) return [value];
      // Servers that give a URL instead of the header have read it from there.
      return name === 'host' ? [url.host] : [];
    },
  };
}
