import { ByteStore } from './byte-store.js';
import { WireError } from '../messages/wire-error.js';

/** Options of a {@link FrameReader}. */
export interface FrameReaderOptions {
  /** Longest accepted frame, in bytes without its length. */
  readonly maxFrameBytes: number;
  /** Receives the bytes of one frame, which are valid during the call. */
  onFrame(bytes: Uint8Array): void;
  /** Receives a fault: OVERFLOW (a frame is too long; it is skipped) or TRUNCATED (the end cuts a frame). */
  onFault(error: WireError): void;
}

const headBytes = 4;
const encoder = new TextEncoder();
/** Short texts are encoded here first, which makes one array for each frame. */
const scratch = new Uint8Array(16 * 1024);
const scratchBody = scratch.subarray(headBytes);
/** Bytes of UTF-8 that one UTF-16 code unit takes at most. */
const bytesPerUnit = 3;

/** Returns a text as a frame: its length in bytes of UTF-8 as an unsigned 32-bit number, most significant byte first, then the bytes. */
export function encodeFrame(text: string): Uint8Array {
  if (text.length * bytesPerUnit <= scratchBody.length) {
    const { written } = encoder.encodeInto(text, scratchBody);
    return withLength(scratch.slice(0, headBytes + written), written);
  }
  const body = encoder.encode(text);
  const frame = new Uint8Array(headBytes + body.length);
  frame.set(body, headBytes);
  return withLength(frame, body.length);
}

function withLength(frame: Uint8Array, length: number): Uint8Array {
  for (let at = 0; at < headBytes; at += 1) frame[at] = length >>> (8 * (headBytes - 1 - at));
  return frame;
}

/**
 * Splits a byte stream into the frames of {@link encodeFrame}, in time linear in its bytes, whatever its chunks are. Empty frames
 * are ignored. A callback that throws misses nothing: the whole chunk is delivered, then `push` throws the first error.
 */
export class FrameReader {
  readonly #pending = new ByteStore();
  /** The length of the frame whose bytes are read; undefined = its length is read. */
  #length: number | undefined;
  #skip = 0;
  #stopped = false;
  #thrown: { cause: unknown } | undefined;

  constructor(private readonly options: FrameReaderOptions) {
    if (!(options.maxFrameBytes > 0))
      throw new TypeError(`"maxFrameBytes" must be a positive number, not ${options.maxFrameBytes}`);
  }

  /** Reads the next bytes; the caller may reuse them afterwards. */
  push(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.length && !this.#stopped) from += this.#read(chunk, from);
    const thrown = this.#thrown;
    this.#thrown = undefined;
    if (thrown !== undefined) throw thrown.cause;
  }

  /** Ends the input. An unfinished frame is not delivered, it is a TRUNCATED fault. */
  end(): void {
    if (this.#stopped) return;
    const isInside = this.#length !== undefined || this.#pending.length > 0;
    this.stop();
    if (isInside) this.options.onFault(new WireError('TRUNCATED', 'the stream ended inside a frame'));
  }

  /** Delivers nothing more, not even the rest of the current chunk. */
  stop(): void {
    this.#stopped = true;
    this.#pending.clear();
  }

  /** Reads some of the bytes of a chunk from an index on, and returns how many. */
  #read(chunk: Uint8Array, from: number): number {
    const available = chunk.length - from;
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, available);
      this.#skip -= skipped;
      return skipped;
    }
    const wanted = (this.#length ?? headBytes) - this.#pending.length;
    if (this.#pending.length === 0 && available >= wanted) {
      this.#complete(chunk, from);
      return wanted;
    }
    const taken = chunk.subarray(from, from + wanted);
    this.#pending.append(taken);
    if (taken.length === wanted) {
      const whole = this.#pending.view();
      this.#complete(whole, 0);
      this.#pending.clear();
    }
    return taken.length;
  }

  /** Continues after a whole length or a whole frame, which begins at an index of some bytes. */
  #complete(bytes: Uint8Array, from: number): void {
    try {
      if (this.#length === undefined) this.#head(bytes, from);
      else {
        const end = from + this.#length;
        this.#length = undefined;
        this.options.onFrame(bytes.subarray(from, end));
      }
    } catch (cause) {
      this.#thrown ??= { cause };
    }
  }

  #head(bytes: Uint8Array, from: number): void {
    let length = 0;
    for (let at = 0; at < headBytes; at += 1) length = length * 256 + (bytes[from + at] ?? 0);
    const { maxFrameBytes } = this.options;
    if (length > maxFrameBytes) {
      this.#skip = length;
      const message = `a frame of ${length} bytes is longer than ${maxFrameBytes} bytes`;
      this.options.onFault(new WireError('OVERFLOW', message));
    } else if (length > 0) this.#length = length;
  }
}
