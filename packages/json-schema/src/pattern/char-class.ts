import { type CharSet, type Edge, UnsupportedPatternError } from './program.js';

/** Most Unicode properties of one class, since each takes time to match. */
const maxProperties = 16;

/** Reads a class such as `[^a-z\d]` from its `[` on. A hyphen next to an escape such as `\d` is literal, as most people expect. */
export function classAt(source: string, from: number): { readonly is: CharSet; readonly next: number } {
  const negated = source[from + 1] === '^';
  const ranges: Range[] = [];
  const properties = new Map<string, CharSet>();
  let at = from + (negated ? 2 : 1);
  while (source[at] !== ']') {
    const first = memberAt(source, at);
    at = first.next;
    if (first.property !== undefined) properties.set(...first.property);
    const single = first.ranges.length === 1 && first.ranges[0]?.[0] === first.ranges[0]?.[1];
    if (single && source[at] === '-' && source[at + 1] !== ']') {
      const last = memberAt(source, at + 1);
      if (last.ranges.length === 1 && last.ranges[0]?.[0] === last.ranges[0]?.[1]) {
        const range: Range = [first.ranges[0]?.[0] as number, last.ranges[0]?.[1] as number];
        if (range[1] < range[0])
          throw new UnsupportedPatternError(`the range "${source.slice(from, last.next)}" is out of order`);
        ranges.push(range);
        at = last.next;
        continue;
      }
    }
    ranges.push(...first.ranges);
  }
  if (properties.size > maxProperties)
    throw new UnsupportedPatternError(`a class names more than ${maxProperties} properties`);
  const inside = setOf(ranges, [...properties.values()]);
  const is: CharSet = negated
    ? properties.size === 0
      ? setOf(complement(ranges))
      : asking(properties.size, (code) => !inside(code))
    : inside;
  return { is, next: at + 1 };
}

interface Member {
  readonly ranges: readonly Range[];
  readonly property?: readonly [string, CharSet];
  readonly next: number;
}

function memberAt(source: string, at: number): Member {
  const code = source.codePointAt(at);
  if (code === undefined) throw new UnsupportedPatternError('a "[" is not closed');
  if (source[at] !== '\\') return { ranges: [[code, code]], next: at + (code > 0xffff ? 2 : 1) };
  if (source[at + 1] === 'b') return { ranges: [[8, 8]], next: at + 2 };
  const { meaning, next } = escapeAt(source, at);
  if (meaning.kind === 'edge') throw new UnsupportedPatternError('a class contains an assertion');
  return meaning.kind === 'ranges'
    ? { ranges: meaning.ranges, next }
    : { ranges: [], property: [meaning.source, meaning.is], next };
}

/** The characters from one code point to another. */
type Range = readonly [from: number, to: number];

/** One character. */
export function exactly(code: number): CharSet {
  return (other) => other === code;
}

/** Any character but the ends of lines. */
export const anyButLineEnd: CharSet = (code) =>
  code !== 10 && code !== 13 && code !== 0x2028 && code !== 0x2029;

/** What `\d`, `\w` and `\s` stand for. */
const escapedRanges: ReadonlyMap<string, readonly Range[]> = new Map<string, readonly Range[]>([
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

/** All characters outside these ranges. */
function complement(ranges: readonly Range[]): readonly Range[] {
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
function asking(asks: number, is: (code: number) => boolean): CharSet {
  return Object.assign(is, { asks });
}

/** A property of Unicode, such as `\p{Lu}`, by the engine, which has the tables. */
function propertyOf(source: string): CharSet {
  const known = properties.get(source);
  if (known !== undefined) return known;
  let engine: RegExp;
  try {
    engine = new RegExp(`^${source}$`, 'u');
  } catch {
    throw new UnsupportedPatternError(`${source} is not a character property`);
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

/** The meaning of an escape. */
type Meaning =
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'ranges'; readonly ranges: readonly Range[] }
  | { readonly kind: 'property'; readonly source: string; readonly is: CharSet };

/** Reads the escape at this place. */
export function escapeAt(source: string, at: number): { readonly meaning: Meaning; readonly next: number } {
  const text = source.slice(at, at + 64);
  const letter = text.slice(1, 2);
  if (letter === 'b' || letter === 'B')
    return { meaning: { kind: 'edge', edge: letter === 'b' ? 'word' : 'no-word' }, next: at + 2 };
  const ranges = escapedRanges.get(letter.toLowerCase());
  if (ranges !== undefined) {
    const negated = letter !== letter.toLowerCase();
    return { meaning: { kind: 'ranges', ranges: negated ? complement(ranges) : ranges }, next: at + 2 };
  }
  const [property] = /^\\[pP]\{[A-Za-z0-9_=]+\}/u.exec(text) ?? [];
  if (property !== undefined) {
    const meaning: Meaning = { kind: 'property', source: property, is: propertyOf(property) };
    return { meaning, next: at + property.length };
  }
  const { code, length } = character(text);
  return { meaning: { kind: 'ranges', ranges: [[code, code]] }, next: at + length };
}

function character(text: string): { readonly code: number; readonly length: number } {
  const [pair, high, low] =
    /^\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/u.exec(text) ?? [];
  if (pair !== undefined) {
    const both = String.fromCharCode(Number.parseInt(high as string, 16), Number.parseInt(low as string, 16));
    return { code: both.codePointAt(0) as number, length: pair.length };
  }
  const [hex, two, four, braced] =
    /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\})/u.exec(text) ?? [];
  if (hex !== undefined) {
    const code = Number.parseInt(two ?? four ?? (braced as string), 16);
    if (code > 0x10ffff) throw new UnsupportedPatternError(`${hex} is not a character`);
    return { code, length: hex.length };
  }
  const [control, letter] = /^\\c([A-Za-z])/u.exec(text) ?? [];
  if (control !== undefined) return { code: (letter as string).charCodeAt(0) % 32, length: 3 };
  const char = text.slice(1, 2);
  const known = named.get(char);
  if (known !== undefined && !/^\\0\d/u.test(text)) return { code: known, length: 2 };
  if (/[1-9]/u.test(char) || /^\\k</u.test(text)) throw new UnsupportedPatternError('it has a backreference');
  if (char === '' || /[A-Za-z0-9]/u.test(char)) throw new UnsupportedPatternError(`"\\${char}" is not known`);
  const code = text.codePointAt(1) as number;
  return { code, length: 1 + String.fromCodePoint(code).length };
}

const named: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
  ['0', 0],
]);
