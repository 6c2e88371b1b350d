import { ByteStore } from './byte-store.js';
import type { SseEvent } from './sse-event.js';
import { WireError } from '../messages/wire-error.js';

/** An event that was read: its name and the fields that it set. An event without data has empty `data`. */
export interface ParsedSseEvent extends SseEvent {
  readonly event: string;
}

/** Options of an {@link SseReader}. */
export interface SseReaderOptions {
  /** Largest event, in bytes of its data. @default 16777216 */
  readonly maxEventBytes?: number;
  /**
   * Receives one event that sets data, an id or a `retry`. `retry` is clamped to 100 ms to 60 s. An event that only sets an id or
   * a `retry`, such as a priming event, has empty data.
   */
  onEvent?(event: ParsedSseEvent): void;
  /** Receives the bytes of whole events instead of `onEvent`, for another reader: without comments, each line with a line feed. */
  raw?(event: Uint8Array): void;
  /** Receives a fault: PARSE_ERROR (an event is not UTF-8), OVERFLOW (an event is too large) or TRUNCATED (the end cuts an event). */
  onFault(error: WireError): void;
  /** Called for each comment. Servers send comments as keep-alives. */
  onComment?(): void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;
/** What the name and the id of an event may have. They are kept until it ends, and an id for longer. */
const maxFieldBytes = 65_536;
const shortestRetryMs = 100;
const longestRetryMs = 60_000;

/**
 * Splits a byte stream into server-sent events, in time linear in its bytes, whatever its chunks are. WHATWG HTML,
 * server-sent events: lines end with CR, LF or CRLF, a byte order mark at the very start is dropped, comments are ignored and
 * not kept in memory, an id with a NUL is ignored. A fault concerns one event: reading continues with the next one. Unlike a
 * browser it rejects events that are not UTF-8. Its callbacks must not throw.
 */
export class SseReader {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #line = new ByteStore();
  readonly #data = new ByteStore();
  #atStart = true;
  #afterReturn = false;
  #inComment = false;
  #stopped = false;
  // The current event.
  #broken = false;
  #hasData = false;
  #name = '';
  #id: string | undefined;
  #retry: number | undefined;
  #lines = 0;

  constructor(private readonly options: SseReaderOptions) {
    this.#maxBytes = options.maxEventBytes ?? 16 * 1024 * 1024;
    if (!(this.#maxBytes > 0))
      throw new TypeError(`"maxEventBytes" must be a positive number, not ${this.#maxBytes}`);
  }

  /** The bytes that are kept of the event that has not ended. */
  get heldBytes(): number {
    return this.#line.length + this.#data.length;
  }

  /** How many lines were read, which take time however short they are. */
  get lines(): number {
    return this.#lines;
  }

  /** Reads the next bytes; the caller may reuse them afterwards. */
  push(chunk: Uint8Array): void {
    let from = 0;
    let feed = -2;
    let back = -2;
    while (from < chunk.length && !this.#stopped) {
      if (this.#afterReturn) {
        this.#afterReturn = false;
        if (chunk[from] === lineFeed) {
          from += 1;
          continue;
        }
      }
      if (feed !== -1 && feed < from) feed = chunk.indexOf(lineFeed, from);
      if (back !== -1 && back < from) back = chunk.indexOf(carriageReturn, from);
      const to = feed < 0 ? back : back < 0 ? feed : Math.min(feed, back);
      if (to < 0) return this.#keep(chunk.subarray(from));
      this.#complete(chunk.subarray(from, to));
      this.#afterReturn = to === back;
      from = to + 1;
    }
  }

  /** Ends the input. An unfinished event is not delivered, it is a TRUNCATED fault. */
  end(): void {
    if (this.#stopped) return;
    const begun = this.#line.length > 0 || this.#name !== '' || this.#setsAnything();
    this.stop();
    if (begun && !this.#broken)
      this.options.onFault(new WireError('TRUNCATED', 'the stream ended inside an event'));
  }

  /** Delivers nothing more, not even the rest of the current chunk. */
  stop(): void {
    this.#stopped = true;
    this.#line.clear();
    this.#data.clear();
  }

  /** Keeps bytes of a line whose end has not come yet. */
  #keep(bytes: Uint8Array): void {
    // Comments are not kept, and neither is the rest of a rejected event.
    if (this.#inComment) return;
    if (this.#line.length === 0 && bytes[0] === colon) {
      this.#inComment = true;
      this.#atStart = false;
      return;
    }
    if (this.#broken) {
      // One byte is enough to know that the line is not blank.
      if (this.#line.length === 0) this.#line.append(bytes.subarray(0, 1));
      return;
    }
    if (this.#isTooLarge(this.#line.length + bytes.length)) {
      this.#line.clear();
      this.#line.append(bytes.subarray(0, 1));
      return;
    }
    this.#line.append(bytes);
  }

  #complete(rest: Uint8Array): void {
    this.#lines += 1;
    if (this.#inComment) {
      this.#inComment = false;
      this.options.onComment?.();
      return;
    }
    if (this.#line.length === 0) {
      this.#field(rest);
      return;
    }
    this.#keep(rest);
    this.#field(this.#line.view());
    this.#line.clear();
  }

  /** One whole line. */
  #field(whole: Uint8Array): void {
    const line = this.#atStart ? withoutMark(whole) : whole;
    this.#atStart = false;
    if (line.length === 0) return this.#dispatch();
    if (line[0] === colon) return this.options.onComment?.();
    if (this.#broken || this.#isTooLarge(line.length)) return;
    if (this.options.raw !== undefined) {
      this.#hasData = true;
      this.#data.append(line);
      this.#data.append(newLine);
      return;
    }
    const end = line.indexOf(colon);
    const name = end < 0 ? line : line.subarray(0, end);
    let value = end < 0 ? line.subarray(line.length) : line.subarray(end + 1);
    if (value[0] === space) value = value.subarray(1);
    if (is(name, 'data')) this.#addData(value);
    else if (value.length > maxFieldBytes && (is(name, 'event') || is(name, 'id')))
      this.#reject('OVERFLOW', `the name or id of an event is larger than ${maxFieldBytes} bytes`);
    else if (is(name, 'event')) this.#name = this.#text(value) ?? '';
    else if (is(name, 'id')) {
      if (!value.includes(0)) this.#id = this.#text(value);
    } else if (is(name, 'retry')) this.#retry = retryOf(value) ?? this.#retry;
  }

  #addData(value: Uint8Array): void {
    if (this.#isTooLarge(value.length + (this.#hasData ? 1 : 0), 0)) return;
    if (this.#hasData) this.#data.append(newLine);
    this.#hasData = true;
    this.#data.append(value);
  }

  #dispatch(): void {
    const data = this.#broken || !this.#setsAnything() ? undefined : this.#text(this.#data.view());
    const event = data === undefined ? undefined : this.#event(data);
    if (event !== undefined && this.options.raw !== undefined) {
      this.#data.append(newLine);
      this.options.raw(this.#data.view().slice());
    }
    this.#data.clear();
    this.#broken = false;
    this.#hasData = false;
    this.#name = '';
    this.#id = undefined;
    this.#retry = undefined;
    if (event !== undefined) this.options.onEvent?.(event);
  }

  #event(data: string): ParsedSseEvent {
    return {
      event: this.#name || 'message',
      data,
      ...(this.#id === undefined ? undefined : { id: this.#id }),
      ...(this.#retry === undefined ? undefined : { retry: this.#retry }),
    };
  }

  #setsAnything(): boolean {
    return this.#hasData || this.#id !== undefined || this.#retry !== undefined;
  }

  #text(bytes: Uint8Array): string | undefined {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      this.#reject('PARSE_ERROR', 'an event is not valid UTF-8');
      return undefined;
    }
  }

  /** A line may be longer than its value by its field name. */
  #isTooLarge(more: number, allowance: number = longestFieldName): boolean {
    if (this.#data.length + more <= this.#maxBytes + allowance) return false;
    this.#reject('OVERFLOW', `an event is larger than ${this.#maxBytes} bytes`);
    return true;
  }

  #reject(code: 'OVERFLOW' | 'PARSE_ERROR', message: string): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#data.clear();
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

/** Only digits are a time, which is clamped to the bounds. */
function retryOf(value: Uint8Array): number | undefined {
  const digits = new TextDecoder('latin1').decode(value);
  if (!/^\d+$/.test(digits)) return undefined;
  return Math.min(Math.max(Number(digits.slice(0, 400)), shortestRetryMs), longestRetryMs);
}
