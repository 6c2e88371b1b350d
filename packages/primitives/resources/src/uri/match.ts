import { readPairs, readExpression, readGroup, type RawValues } from './read-values.js';
import type { Group, Shape } from './shape.js';

/** Finds the variables of a normal uri, or undefined; in time proportional to its length. */
type Matcher = (uri: string) => RawValues | undefined;

/** A run of literals and groups within their segments, read from its beginning. */
interface Chain {
  readonly first: string;
  /** Whether it is read mirrored, from the end. */
  readonly back: boolean;
  readonly rest: readonly { readonly group: Group; readonly until: Needle }[];
}

/** Prepares the matching of a template. */
export function matcher(shape: Shape): Matcher {
  const head = headMatcher(shape);
  const { pairs, fragment } = shape;
  const behind = pairs === undefined ? undefined : pairsAt(shape);
  return (uri) => {
    const hash = fragment === undefined ? -1 : uri.indexOf('#');
    const whole = hash === -1 ? uri : uri.slice(0, hash);
    const at = behind === undefined ? -1 : behind(whole);
    const values = head(at === -1 ? whole : whole.slice(0, at));
    if (values === undefined) return undefined;
    if (at !== -1) {
      const query = whole.slice(at + 1);
      if (query.includes('#') || !readPairs(query, '&', pairs?.variables ?? [], values)) return undefined;
    }
    if (fragment === undefined || hash === -1) return values;
    return readExpression(fragment, uri.slice(hash), values) ? values : undefined;
  };
}

/** Where the pairs begin, or -1: at the `?`, or behind as many `&` as the literals hold after their own `?`. */
function pairsAt({ literals, pairs }: Shape): (uri: string) => number {
  if (pairs?.continued !== true) return (uri) => uri.indexOf('?');
  const query = literals.join('').replace(/^[^?]*/, '');
  const passed = query.split('&').length - 1;
  return (uri) => {
    let at = uri.indexOf('?');
    for (let left = passed; at !== -1 && left >= 0; left -= 1) at = uri.indexOf('&', at + 1);
    return at;
  };
}

function headMatcher({ literals, groups }: Shape): Matcher {
  const manyAt = groups.findIndex(({ many }) => many);
  const many = groups[manyAt];
  if (many === undefined) {
    const all = chain(literals, groups, false);
    return (uri) => {
      const values: RawValues = new Map();
      const found = (group: Group, raw: string): boolean => readGroup(group, raw, values);
      return walk(all, uri, found, true) === -1 ? undefined : values;
    };
  }
  // At most one group takes slashes. What follows it is read from the end, mirrored, so that no step is ever undone.
  const before = chain(literals.slice(0, manyAt + 1), groups.slice(0, manyAt), false);
  const behind = literals.slice(manyAt + 1).map(mirrored);
  const after = chain(behind.reverse(), groups.slice(manyAt + 1).reverse(), true);
  return (uri) => {
    const values: RawValues = new Map();
    const start = walk(before, uri, (group, raw) => readGroup(group, raw, values), false);
    if (start === -1) return undefined;
    const back = walk(
      after,
      after.rest.length === 0 ? mirroredEnd(uri, after.first) : mirrored(uri),
      (group, raw) => readGroup(group, mirrored(raw), values),
      false,
    );
    const end = uri.length - back;
    if (back === -1 || end < start) return undefined;
    const raw = uri.slice(start, end);
    return !/[?#]/.test(raw) && readGroup(many, raw, values) ? values : undefined;
  };
}

function chain(literals: readonly string[], groups: readonly Group[], back: boolean): Chain {
  const [first = '', ...rest] = literals;
  return { first, back, rest: groups.map((group, index) => ({ group, until: needle(rest[index] ?? '') })) };
}

/**
 * Walks a chain and returns where it ends, or -1. Taking each literal where it first stands is enough: a variable stays
 * within its segment, so a later place could only lengthen the variable before it.
 */
function walk(
  { first, back, rest }: Chain,
  text: string,
  found: (group: Group, raw: string) => boolean,
  whole: boolean,
): number {
  // No literal begins within an escape; as it holds escapes as a whole, it ends in none either.
  const may = (start: number, end: number): boolean =>
    back ? text[end] !== '%' && text[end + 1] !== '%' : text[start - 1] !== '%' && text[start - 2] !== '%';
  if (!text.startsWith(first) || !may(0, first.length)) return -1;
  let at = first.length;
  for (const [index, { group, until }] of rest.entries()) {
    const last = whole && index === rest.length - 1;
    const least = group.optional ? at : at + 1;
    const end = last ? suffixAt(text, until.text) : find(until, text, least, may);
    if (end < least || !may(end, end + until.text.length)) return -1;
    const raw = text.slice(at, end);
    if (/[/?#]/.test(raw) || !found(group, raw)) return -1;
    at = end + until.text.length;
  }
  return whole && at !== text.length ? -1 : at;
}

function suffixAt(text: string, suffix: string): number {
  return text.endsWith(suffix) ? text.length - suffix.length : -1;
}

/** Normal uris and literals are ASCII, so nothing is torn apart. */
function mirrored(text: string): string {
  return text.split('').reverse().join('');
}

/** The part of the mirrored URI that a literal is compared with, plus two characters that show whether it begins within an escape. */
function mirroredEnd(uri: string, { length }: string): string {
  return length === 0 ? '' : mirrored(uri.slice(-length - 2));
}

/** A text to look for, prepared so that looking for it takes time in proportion to what is looked through. */
interface Needle {
  readonly text: string;
  /** For each of its characters: the length of the longest beginning that ends there too. */
  readonly borders: Uint16Array;
}

/** Prepares a text to look for. */
export function needle(text: string): Needle {
  // A template has at most 8,192 characters.
  const borders = new Uint16Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === code) matched += 1;
    borders[at] = matched;
  }
  return { text, borders };
}

/**
 * Where the needle first stands at or after `from`, and where it may; or -1. Looks at each character at most twice
 * (Knuth-Morris-Pratt).
 */
export function find(
  { text, borders }: Needle,
  inside: string,
  from: number,
  may?: (start: number, end: number) => boolean,
): number {
  let matched = 0;
  for (let at = from; at < inside.length; at += 1) {
    const code = inside.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === code) matched += 1;
    if (matched < text.length) continue;
    if (may === undefined || may(at - matched + 1, at + 1)) return at - matched + 1;
    matched = borders[matched - 1] ?? 0;
  }
  return -1;
}
