import { randomBytes } from 'node:crypto';

/** What a frame says of itself; the first bits of RFC 6455, section 5.2. */
export interface FrameBits {
  /** @default 1, text */
  readonly opcode?: number;
  /** @default true */
  readonly fin?: boolean;
  /** The three reserved bits. @default 0 */
  readonly rsv?: number;
  /** @default true, as clients must */
  readonly masked?: boolean;
  /** What the header says instead of the length of the payload. */
  readonly length?: number;
}

/** The bytes of one frame, sound or not. */
export function frame(payload: string | Uint8Array, bits: FrameBits = {}): Buffer {
  const { opcode = 1, fin = true, rsv = 0, masked = true } = bits;
  const data = Buffer.from(payload as string);
  const { length = data.length } = bits;
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | opcode];
  const mark = masked ? 0x80 : 0;
  if (length < 126) head.push(mark | length);
  else if (length < 65_536) head.push(mark | 126, length >> 8, length & 0xff);
  else {
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(length));
    head.push(mark | 127, ...size);
  }
  if (!masked) return Buffer.concat([Buffer.from(head), data]);
  const mask = randomBytes(4);
  const hidden = data.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return Buffer.concat([Buffer.from(head), mask, hidden]);
}
