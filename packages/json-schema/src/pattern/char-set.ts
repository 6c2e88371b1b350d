import type { CharSet } from './program.js';
import { PatternRefused } from './program.js';

/** The characters from one code point to another. */
export type Range = readonly [from: number, to: number];

/** One character. */
export function exactly(code: number): CharSet {
  return (other) => other === code;
}

/** Any character but the ends of lines. */
export const anyButLineEnd: CharSet = (code) =>
  code !== 10 && code !== 13 && code !== 0x2028 && code !== 0x2029;

/** What `\d`, `\w` and `\s` stand for. */
export const escapedRanges: ReadonlyMap<string, readonly Range[]> = new Map<string, readonly Range[]>([
  ['d', [[48, 57]]],
  [
    'w',
    [
      [48, 57],
      [65, 90],
      [95, 95],
      [97, 122],
    ],
  ],
  [
    's',
    [
      [9, 13],
      [32, 32],
      [0xa0, 0xa0],
      [0x1680, 0x1680],
      [0x2000, 0x200a],
      [0x2028, 0x2029],
      [0x202f, 0x202f],
      [0x205f, 0x205f],
      [0x3000, 0x3000],
      [0xfeff, 0xfeff],
    ],
  ],
]);

/** All characters that are of none of these ranges. */
export function complement(ranges: readonly Range[]): readonly Range[] {
  const gaps: Range[] = [];
  let from = 0;
  for (const [start, end] of merged(ranges)) {
    if (start > from) gaps.push([from, start - 1]);
    from = end + 1;
  }
  if (from <= 0x10ffff) gaps.push([from, 0x10ffff]);
  return gaps;
}

/** The characters of some ranges and properties: a look-up for ASCII, a binary search beyond. */
export function setOf(given: readonly Range[], properties: readonly CharSet[] = []): CharSet {
  const ranges = merged(given);
  let ascii: Uint8Array | undefined;
  const ranged: CharSet = (code) => {
    if (code < 128) return (ascii ??= asciiOf(ranges))[code] === 1;
    let low = 0;
    for (let high = ranges.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((ranges[middle] as Range)[0] <= code) low = middle + 1;
      else high = middle;
    }
    return low > 0 && code <= (ranges[low - 1] as Range)[1];
  };
  if (properties.length === 0) return ranged;
  return asking(properties.length, (code) => ranged(code) || properties.some((is) => is(code)));
}

function asciiOf(ranges: readonly Range[]): Uint8Array {
  const table = new Uint8Array(128);
  for (const [from, to] of ranges) if (from < 128) table.fill(1, from, Math.min(to, 127) + 1);
  return table;
}

/** A set that asks the engine so often for each character. */
export function asking(asks: number, is: (code: number) => boolean): CharSet {
  return Object.assign(is, { asks });
}

/** A property of Unicode, such as `\p{Lu}`, by the engine, which has the tables. */
export function propertyOf(source: string): CharSet {
  const known = properties.get(source);
  if (known !== undefined) return known;
  let engine: RegExp;
  try {
    engine = new RegExp(`^${source}$`, 'u');
  } catch {
    throw new PatternRefused(`${source} is no property of characters`);
  }
  const is = asking(1, (code) => engine.test(String.fromCodePoint(code)));
  properties.set(source, is);
  return is;
}

// There are only so many names that an engine takes.
const properties = new Map<string, CharSet>();

function merged(ranges: readonly Range[]): readonly Range[] {
  const found: [number, number][] = [];
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = found.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}
