import type { Range } from './char-set.js';
import { complement, escapedRanges, propertyOf } from './char-set.js';
import type { CharSet, Edge } from './program.js';
import { PatternRefused } from './program.js';

/** What a backslash and what follows it stand for. */
export type Meaning =
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'ranges'; readonly ranges: readonly Range[] }
  | { readonly kind: 'property'; readonly source: string; readonly is: CharSet };

/** Reads what a backslash at this place means. */
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
    if (code > 0x10ffff) throw new PatternRefused(`${hex} is no character`);
    return { code, length: hex.length };
  }
  const [control, letter] = /^\\c([A-Za-z])/u.exec(text) ?? [];
  if (control !== undefined) return { code: (letter as string).charCodeAt(0) % 32, length: 3 };
  const char = text.slice(1, 2);
  const known = named.get(char);
  if (known !== undefined && !/^\\0\d/u.test(text)) return { code: known, length: 2 };
  if (/[1-9]/u.test(char) || /^\\k</u.test(text)) throw new PatternRefused('it refers back to a group');
  if (char === '' || /[A-Za-z0-9]/u.test(char)) throw new PatternRefused(`"\\${char}" is not known`);
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
