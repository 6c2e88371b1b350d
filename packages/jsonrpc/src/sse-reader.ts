import { ByteStore } from './byte-store.js';
import type { SseEvent } from './sse-event.js';
import { WireError } from './wire-error.js';

/** One event as it was read: its name and what it set. An event without data has empty `data`. */
export interface ParsedSseEvent extends SseEvent {
  readonly event: string;
}

/** What an {@link SseReader} is made with. */
export interface SseReaderOptions {
  /** Largest event, counted over its data. @default 16 MiB */
  readonly maxEventBytes?: number;
  /**
   * Takes one event that set anything: data, an id or a `retry`, which is kept between 100 ms and 60 s. One that only sets an
   * id or a `retry` comes with empty data, as a priming event does.
   */
  onEvent?(onEvent: ParsedSseEvent): void;
  /** Takes the bytes of whole events instead, for another reader: without comments, each line with a line feed. */
  raw?(onEvent: Uint8Array): void;
  /** Takes what went wrong: PARSE_ERROR (an event is not UTF-8), OVERFLOW (an event is too large) or TRUNCATED (the end cuts an event). */
  onFault(error: WireError): void;
  /** Hears that a comment came: a sign of life, which is what servers send them for. */
  onComment?(): void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;
const shortestRetryMs = 100;
const longestRetryMs = 60_000;

/**
 * Cuts a byte stream into server-sent events, in time linear in its bytes, whatever its chunks are. WHATWG HTML,
 * server-sent events: lines end with CR, LF or CRLF, a byte order mark at the very start is dropped, comments are ignored and
 * keep no memory, an id with a NUL is ignored. A fault concerns one event; the next one is read again. Unlike a browser's
 * reader it refuses what is not UTF-8. Its callbacks must not throw.
 */
export class SseReader {
  private readonly maxBytes: number;
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private readonly line = new ByteStore();
  private readonly data = new ByteStore();
  private atStart = true;
  private afterReturn = false;
  private inComment = false;
  private stopped = false;
  // The event at hand.
  private broken = false;
  private hasData = false;
  private name = '';
  private id: string | undefined;
  private retry: number | undefined;

  constructor(private readonly options: SseReaderOptions) {
    this.maxBytes = options.maxEventBytes ?? 16 * 1024 * 1024;
    if (!(this.maxBytes > 0))
      throw new TypeError(`"maxEventBytes" must be a positive number, not ${this.maxBytes}`);
  }

  /** Takes the next bytes; they may be reused afterwards. */
  push(chunk: Uint8Array): void {
    let from = 0;
    let feed = -2;
    let back = -2;
    while (from < chunk.length && !this.stopped) {
      if (this.afterReturn) {
        this.afterReturn = false;
        if (chunk[from] === lineFeed) {
          from += 1;
          continue;
        }
      }
      if (feed !== -1 && feed < from) feed = chunk.indexOf(lineFeed, from);
      if (back !== -1 && back < from) back = chunk.indexOf(carriageReturn, from);
      const to = feed < 0 ? back : back < 0 ? feed : Math.min(feed, back);
      if (to < 0) return this.keep(chunk.subarray(from));
      this.complete(chunk.subarray(from, to));
      this.afterReturn = to === back;
      from = to + 1;
    }
  }

  /** Tells that no more bytes come. An event that was begun is never delivered, it is a TRUNCATED fault. */
  end(): void {
    if (this.stopped) return;
    const begun = this.line.length > 0 || this.name !== '' || this.setsAnything();
    this.stop();
    if (begun && !this.broken)
      this.options.onFault(new WireError('TRUNCATED', 'the stream ended inside an event'));
  }

  /** Delivers nothing more, not even the rest of the chunk at hand. */
  stop(): void {
    this.stopped = true;
    this.line.clear();
    this.data.clear();
  }

  /** Keeps bytes of a line whose end has not come yet. */
  private keep(bytes: Uint8Array): void {
    // What a long comment says is nobody's, and neither is the rest of an event that was given up.
    if (this.inComment) return;
    if (this.line.length === 0 && bytes[0] === colon) {
      this.inComment = true;
      this.atStart = false;
      return;
    }
    if (this.broken) {
      // One byte tells that the line is not blank.
      if (this.line.length === 0) this.line.append(bytes.subarray(0, 1));
      return;
    }
    if (this.isTooLarge(this.line.length + bytes.length)) {
      this.line.clear();
      this.line.append(bytes.subarray(0, 1));
      return;
    }
    this.line.append(bytes);
  }

  private complete(rest: Uint8Array): void {
    if (this.inComment) {
      this.inComment = false;
      this.options.onComment?.();
      return;
    }
    if (this.line.length === 0) {
      this.field(rest);
      return;
    }
    this.keep(rest);
    this.field(this.line.view());
    this.line.clear();
  }

  /** One whole line. */
  private field(whole: Uint8Array): void {
    const line = this.atStart ? withoutMark(whole) : whole;
    this.atStart = false;
    if (line.length === 0) return this.dispatch();
    if (line[0] === colon) return this.options.onComment?.();
    if (this.broken || this.isTooLarge(line.length)) return;
    if (this.options.raw !== undefined) {
      this.hasData = true;
      this.data.append(line);
      this.data.append(newLine);
      return;
    }
    const end = line.indexOf(colon);
    const name = end < 0 ? line : line.subarray(0, end);
    let value = end < 0 ? line.subarray(line.length) : line.subarray(end + 1);
    if (value[0] === space) value = value.subarray(1);
    if (is(name, 'data')) this.addData(value);
    else if (is(name, 'event')) this.name = this.text(value) ?? '';
    else if (is(name, 'id')) {
      if (!value.includes(0)) this.id = this.text(value);
    } else if (is(name, 'retry')) this.retry = retryOf(value) ?? this.retry;
  }

  private addData(value: Uint8Array): void {
    if (this.isTooLarge(value.length + (this.hasData ? 1 : 0), 0)) return;
    if (this.hasData) this.data.append(newLine);
    this.hasData = true;
    this.data.append(value);
  }

  private dispatch(): void {
    const { broken, name, id, retry } = this;
    const data = broken || !this.setsAnything() ? undefined : this.text(this.data.view());
    if (data !== undefined && this.options.raw !== undefined) {
      this.data.append(newLine);
      this.options.raw(this.data.view().slice());
    }
    this.data.clear();
    this.broken = false;
    this.hasData = false;
    this.name = '';
    this.id = undefined;
    this.retry = undefined;
    if (data === undefined) return;
    this.options.onEvent?.({
      event: name === '' ? 'message' : name,
      data,
      ...(id === undefined ? undefined : { id }),
      ...(retry === undefined ? undefined : { retry }),
    });
  }

  private setsAnything(): boolean {
    return this.hasData || this.id !== undefined || this.retry !== undefined;
  }

  private text(bytes: Uint8Array): string | undefined {
    try {
      return this.decoder.decode(bytes);
    } catch {
      this.giveUp('PARSE_ERROR', 'an event is not valid UTF-8');
      return undefined;
    }
  }

  /** A line may be longer than its value by its field name. */
  private isTooLarge(more: number, allowance: number = longestFieldName): boolean {
    if (this.data.length + more <= this.maxBytes + allowance) return false;
    this.giveUp('OVERFLOW', `an event is larger than ${this.maxBytes} bytes`);
    return true;
  }

  private giveUp(code: 'OVERFLOW' | 'PARSE_ERROR', message: string): void {
    if (this.broken) return;
    this.broken = true;
    this.data.clear();
    this.options.onFault(new WireError(code, message));
  }
}

const newLine = Uint8Array.of(lineFeed);
const longestFieldName = 16;

function is(bytes: Uint8Array, name: string): boolean {
  if (bytes.length !== name.length) return false;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== name.charCodeAt(at)) return false;
  return true;
}

function withoutMark(line: Uint8Array): Uint8Array {
  return byteOrderMark.every((byte, at) => line[at] === byte) ? line.subarray(byteOrderMark.length) : line;
}

/** Only digits are a time; what is out of bounds is brought within them. */
function retryOf(value: Uint8Array): number | undefined {
  if (value.length === 0 || value.some((byte) => byte < 0x30 || byte > 0x39)) return undefined;
  let digits = '';
  for (const byte of value.subarray(0, 400)) digits += String.fromCharCode(byte);
  return Math.min(Math.max(Number(digits), shortestRetryMs), longestRetryMs);
}
