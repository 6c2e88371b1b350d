import type { Range } from './char-set.js';
import { asking, complement, setOf } from './char-set.js';
import { escapeAt } from './escape.js';
import type { CharSet } from './program.js';
import { PatternRefused } from './program.js';

/** One class may name this many properties of Unicode: each takes its time. */
const maxProperties = 16;

/** Reads a class such as `[^a-z\d]` from its `[` on. A hyphen beside a class stands for itself, as most people expect. */
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
          throw new PatternRefused(`the range "${source.slice(from, last.next)}" counts down`);
        ranges.push(range);
        at = last.next;
        continue;
      }
    }
    ranges.push(...first.ranges);
  }
  if (properties.size > maxProperties)
    throw new PatternRefused(`a class names more than ${maxProperties} properties`);
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
  if (code === undefined) throw new PatternRefused('a "[" is not closed');
  if (source[at] !== '\\') return { ranges: [[code, code]], next: at + (code > 0xffff ? 2 : 1) };
  if (source[at + 1] === 'b') return { ranges: [[8, 8]], next: at + 2 };
  const { meaning, next } = escapeAt(source, at);
  if (meaning.kind === 'edge') throw new PatternRefused('a class contains an edge');
  return meaning.kind === 'ranges'
    ? { ranges: meaning.ranges, next }
    : { ranges: [], property: [meaning.source, meaning.is], next };
}
