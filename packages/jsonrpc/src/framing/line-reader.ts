import { ByteStore } from './byte-store.js';
import { WireError } from '../messages/wire-error.js';

/** Options of a {@link LineReader}. */
export interface LineReaderOptions {
  /** Longest accepted line, in bytes without its line feed. */
  readonly maxLineBytes: number;
  /** Receives one line that is not blank, without its line end. */
  onLine(text: string): void;
  /**
   * Receives a fault: PARSE_ERROR (a line is not UTF-8), OVERFLOW (a line is too long) or TRUNCATED (the end cuts a line). Where more
   * than one line of a chunk is not UTF-8, the second fault is about all further ones.
   */
  onFault(error: WireError): void;
}

const lineFeed = 0x0a;
const replacement = '\uFFFD';
const replacing = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Splits a byte stream into lines of UTF-8, in time linear in its bytes, whatever its chunks are. MCP basic, transports, stdio.
 * `\n` alone ends a line, a `\r` before it is dropped, blank lines are ignored, and so is a byte order mark at the very start.
 * After a fault reading continues with the next line. A callback that throws misses nothing: the whole chunk is
 * delivered, then `push` throws the first error.
 */
export class LineReader {
  // Only the first byte order mark of the stream is removed, in `deliver`. All others are text.
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #pending = new ByteStore();
  #atStart = true;
  #skipping = false;
  #stopped = false;
  #thrown: { cause: unknown } | undefined;

  constructor(private readonly options: LineReaderOptions) {
    if (!(options.maxLineBytes > 0))
      throw new TypeError(`"maxLineBytes" must be a positive number, not ${options.maxLineBytes}`);
  }

  /** The memory that the line takes at most that has not ended, in a buffer that grows by doubling. */
  get heldBytes(): number {
    return 2 * this.#pending.length;
  }

  /** Reads the next bytes, those of a chunk before `length`; the caller may reuse them afterwards. */
  push(chunk: Uint8Array, length: number = chunk.length): void {
    if (this.#stopped || length === 0) return;
    const last = chunk.lastIndexOf(lineFeed, length - 1);
    if (last < 0) this.#keep(chunk.subarray(0, length));
    else {
      let from = 0;
      if (this.#skipping || this.#pending.length > 0) {
        const first = chunk.indexOf(lineFeed);
        this.#complete(chunk.subarray(0, first));
        from = first + 1;
      }
      if (from <= last) this.#lines(chunk.subarray(from, last));
      if (last + 1 < length) this.#keep(chunk.subarray(last + 1, length));
    }
    this.#rethrow();
  }

  /** Ends the input. An unfinished line is not delivered, it is a TRUNCATED fault. */
  end(): void {
    if (this.#stopped) return;
    const bytes = this.#pending.length;
    if (bytes > 0)
      this.#fault(new WireError('TRUNCATED', `the stream ended inside a line, after ${bytes} bytes of it`));
    this.stop();
    this.#rethrow();
  }

  /** Delivers nothing more, not even the rest of the current chunk. */
  stop(): void {
    this.#stopped = true;
    this.#pending.clear();
  }

  /** Keeps bytes of a line whose end has not come yet. */
  #keep(bytes: Uint8Array): void {
    if (this.#stopped || this.#skipping) return;
    if (this.#pending.length + bytes.length <= this.options.maxLineBytes) {
      this.#pending.append(bytes);
      return;
    }
    this.#skipping = true;
    this.#pending.clear();
    this.#overflow();
  }

  /** Ends the line that earlier chunks began. */
  #complete(rest: Uint8Array): void {
    if (!this.#skipping) this.#keep(rest);
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    const text = this.#text(this.#pending.view());
    this.#pending.clear();
    if (text !== undefined) this.#deliver(text);
  }

  /** Whole lines, the last one without its line feed: decoded at once, or line by line where one is too long or not UTF-8. */
  #lines(bytes: Uint8Array): void {
    if (bytes.length > this.options.maxLineBytes) return this.#lineByLine(bytes);
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      return this.#lineByLine(bytes);
    }
    let from = 0;
    for (let to = text.indexOf('\n'); to >= 0 && !this.#stopped; to = text.indexOf('\n', from)) {
      this.#deliver(text.slice(from, to));
      from = to + 1;
    }
    this.#deliver(from === 0 ? text : text.slice(from));
  }

  /** An error takes a hundred times as long as a short line, and a chunk may have thousands: they have two in all. */
  #lineByLine(bytes: Uint8Array): void {
    let from = 0;
    let unreadable = 0;
    while (from <= bytes.length && !this.#stopped) {
      let to = bytes.indexOf(lineFeed, from);
      if (to < 0) to = bytes.length;
      if (to - from > this.options.maxLineBytes) this.#overflow();
      else {
        const line = bytes.subarray(from, to);
        const text = replacing.decode(line);
        if (!isReplaced(text, line)) this.#deliver(text);
        else if ((unreadable += 1) === 1) this.#unreadable(`a line of ${line.length} bytes is`);
      }
      from = to + 1;
    }
    if (unreadable > 1) this.#unreadable(`${unreadable - 1} more lines are`);
  }

  #text(line: Uint8Array): string | undefined {
    try {
      return this.#decoder.decode(line);
    } catch {
      this.#unreadable(`a line of ${line.length} bytes is`);
      return undefined;
    }
  }

  #unreadable(what: string): void {
    this.#fault(new WireError('PARSE_ERROR', `${what} not valid UTF-8`));
  }

  #overflow(): void {
    this.#fault(new WireError('OVERFLOW', `a line is longer than ${this.options.maxLineBytes} bytes`));
  }

  #deliver(line: string): void {
    let from = 0;
    if (this.#atStart) {
      this.#atStart = false;
      if (line.charCodeAt(0) === 0xfeff) from = 1;
    }
    const to = line.charCodeAt(line.length - 1) === 0x0d ? line.length - 1 : line.length;
    const text = from === 0 && to === line.length ? line : line.slice(from, to);
    if (this.#stopped || isBlank(text)) return;
    try {
      this.options.onLine(text);
    } catch (cause) {
      this.#thrown ??= { cause };
    }
  }

  #fault(error: WireError): void {
    this.#atStart = false;
    if (this.#stopped) return;
    try {
      this.options.onFault(error);
    } catch (cause) {
      this.#thrown ??= { cause };
    }
  }

  #rethrow(): void {
    const thrown = this.#thrown;
    this.#thrown = undefined;
    if (thrown !== undefined) throw thrown.cause;
  }
}

/** Whether decoding replaced what is not UTF-8: the replacement comes more often in the text than in the bytes. */
function isReplaced(text: string, bytes: Uint8Array): boolean {
  if (!text.includes(replacement)) return false;
  let written = 0;
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1))
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) written += 1;
  return text.split(replacement).length - 1 > written;
}

/** Mostly the first character decides: only after spaces and tabs the rest is read. */
function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d) return false;
  }
  return true;
}
