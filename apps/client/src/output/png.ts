import { inflateSync } from 'node:zlib';

/** The pixels of a picture, four bytes each: red, green, blue and opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** More pixels are not decoded. */
const maxPixels = 4_000_000;
/** The number of samples of a pixel, by the colour type. */
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Decodes a PNG. Returns undefined for an invalid, an interlaced and a too large one.
 * @see https://www.w3.org/TR/png-3/
 */
export function decodePng(bytes: Buffer): Pixels | undefined {
  try {
    return decoded(bytes);
  } catch {
    // A chunk is cut short, or its data cannot be inflated.
    return undefined;
  }
}

function decoded(bytes: Buffer): Pixels | undefined {
  const chunks = chunksOf(bytes);
  const [header] = chunks.get('IHDR') ?? [];
  if (header === undefined) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, type = -1, , , interlace] = header.subarray(8);
  const count = samples[type];
  if (count === undefined || interlace !== 0 || width * height > maxPixels) return undefined;
  const pixelBytes = Math.max(1, (count * depth) / 8);
  const rowBytes = Math.ceil((width * count * depth) / 8);
  const maxOutputLength = height * (rowBytes + 1);
  const data = inflateSync(Buffer.concat(chunks.get('IDAT') ?? []), { maxOutputLength });
  const [palette] = chunks.get('PLTE') ?? [];
  const [opacity] = chunks.get('tRNS') ?? [];
  const rgba = new Uint8Array(width * height * 4);
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y += 1) {
    const start = y * (rowBytes + 1);
    const row = unfiltered(
      data[start] as number,
      data.subarray(start + 1, start + 1 + rowBytes),
      above,
      pixelBytes,
    );
    above = row;
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      const value = (sample: number): number => sampleAt(row, x * count + sample, depth);
      const full = depth < 8 ? 255 / (2 ** depth - 1) : 1;
      if (type === 3) {
        const index = value(0);
        for (let one = 0; one < 3; one += 1) rgba[at + one] = palette?.[index * 3 + one] ?? 0;
        rgba[at + 3] = opacity?.[index] ?? 255;
      } else if (count < 3) {
        rgba.fill(value(0) * full, at, at + 3);
        rgba[at + 3] = count === 2 ? value(1) : 255;
      } else {
        for (let one = 0; one < 3; one += 1) rgba[at + one] = value(one);
        rgba[at + 3] = count === 4 ? value(3) : 255;
      }
    }
  }
  return { width, height, rgba };
}

/** The data of the chunks by their names; that of a picture is in several. */
function chunksOf(bytes: Buffer): ReadonlyMap<string, readonly Buffer[]> {
  const chunks = new Map<string, Buffer[]>();
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    const before = chunks.get(name) ?? [];
    before.push(bytes.subarray(at + 8, at + 8 + length));
    chunks.set(name, before);
    at += length + 12;
  }
  return chunks;
}

/** The sample of a row at an index; of 16 bits the upper eight. */
function sampleAt(row: Uint8Array, index: number, depth: number): number {
  if (depth >= 8) return row[(index * depth) / 8] as number;
  const byte = row[Math.floor((index * depth) / 8)] as number;
  return (byte >> (8 - depth - ((index * depth) % 8))) & (2 ** depth - 1);
}

function unfiltered(filter: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): Uint8Array {
  for (let at = 0; at < row.length; at += 1) {
    const left = row[at - pixelBytes] ?? 0;
    const up = above[at] as number;
    const corner = above[at - pixelBytes] ?? 0;
    const added = [0, left, up, (left + up) >> 1, nearestOf(left, up, corner)][filter] ?? 0;
    row[at] = (row[at] as number) + added;
  }
  return row;
}

function nearestOf(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)] as const;
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
