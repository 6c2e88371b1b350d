const mask = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/** The kinds of frames that the client distinguishes (RFC 6455, section 5.2). */
export type FrameKind = 'text' | 'close' | 'ping' | 'other';

/** One whole frame of a server. */
export interface Frame {
  readonly kind: FrameKind;
  readonly payload: Buffer;
}

const kinds: Readonly<Record<number, FrameKind>> = { 0x81: 'text', 0x88: 'close', 0x89: 'ping' };

const opcodes = { text: 0x81, close: 0x88, pong: 0x8a };

/** A frame as clients send them: whole and masked, always with the same key. */
export function clientFrame(kind: 'text' | 'pong' | 'close', payload: Buffer): Buffer {
  const { length } = payload;
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const frame = Buffer.allocUnsafe(6 + extra + length);
  frame[0] = opcodes[kind];
  frame[1] = 0x80 | (extra === 0 ? length : extra === 2 ? 126 : 127);
  if (extra === 2) frame.writeUInt16BE(length, 2);
  if (extra === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  mask.copy(frame, 2 + extra);
  const start = 6 + extra;
  for (let at = 0; at < length; at += 1) frame[start + at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
  return frame;
}

/** Splits the bytes of a server into frames. */
export class FrameReader {
  private rest: Buffer | undefined = undefined;

  /** The frames that are whole with this chunk. */
  push(chunk: Buffer): Frame[] {
    const bytes = this.rest === undefined ? chunk : Buffer.concat([this.rest, chunk]);
    const frames: Frame[] = [];
    let at = 0;
    for (;;) {
      const [start, length] = extentAt(bytes, at);
      if (start + length > bytes.length) break;
      frames.push({
        kind: kinds[bytes[at] ?? 0] ?? 'other',
        payload: bytes.subarray(start, start + length),
      });
      at = start + length;
    }
    this.rest = at === bytes.length ? undefined : bytes.subarray(at);
    return frames;
  }
}

/** Where the payload of the frame at `at` begins, and its length; beyond the bytes while its head is not whole. */
function extentAt(bytes: Buffer, at: number): [start: number, length: number] {
  if (bytes.length < at + 2) return [at + 2, 0];
  const short = (bytes[at + 1] ?? 0) & 0x7f;
  if (short < 126) return [at + 2, short];
  const start = at + (short === 126 ? 4 : 10);
  if (bytes.length < start) return [start, 0];
  return [start, short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))];
}
