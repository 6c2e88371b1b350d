import type { Pixels } from './png.js';

/** Colours have six levels of red, green and blue. */
const levels = 6;
/** Pixels that are more transparent than this are not drawn. */
const minOpacity = 128;

/**
 * Encodes a picture as sixels: bands of six rows of pixels, drawn once for each colour in them.
 * @see https://vt100.net/docs/vt3xx-gp/chapter14.html
 */
export function sixels({ width, height, rgba }: Pixels): string {
  const colors = new Set<number>();
  const bands: string[] = [];
  for (let top = 0; top < height; top += 6) {
    const rows = new Map<number, Uint8Array>();
    for (let y = top; y < Math.min(top + 6, height); y += 1)
      for (let x = 0; x < width; x += 1) {
        const at = (y * width + x) * 4;
        if ((rgba[at + 3] as number) < minOpacity) continue;
        const color = colorOf(rgba.subarray(at, at + 3));
        const row = rows.get(color) ?? new Uint8Array(width);
        rows.set(color, row);
        row[x] = (row[x] as number) | (1 << (y - top));
      }
    bands.push([...rows].map(([color, row]) => `#${color}${runs(row)}`).join('$'));
    for (const color of rows.keys()) colors.add(color);
  }
  const palette = [...colors].map((color) => `#${color};2;${percentOf(color).join(';')}`);
  return `\u001bP0;1;0q"1;1;${width};${height}${palette.join('')}${bands.join('-')}\u001b\\`;
}

function colorOf(pixel: Uint8Array): number {
  return pixel.reduce((color, value) => color * levels + Math.round((value * (levels - 1)) / 255), 0);
}

function percentOf(color: number): readonly number[] {
  const shares = [Math.floor(color / levels ** 2), Math.floor(color / levels) % levels, color % levels];
  return shares.map((share) => Math.round((share * 100) / (levels - 1)));
}

/** The sixels of a row, each run of equal ones as their number and the first. */
function runs(row: Uint8Array): string {
  const text = Array.from(row, (sixel) => String.fromCharCode(63 + sixel)).join('');
  return text.replace(/(.)\1{3,}/g, (run, sixel: string) => `!${run.length}${sixel}`);
}
