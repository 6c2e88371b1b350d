import type { Needle } from './needle.js';
import { find, needle } from './needle.js';
import type { ParsedTemplate } from './parse.js';

/** What variables stand for in a uri, still encoded. */
export type RawValues = ReadonlyMap<string, string>;

/** Finds the variables of a normal uri, or undefined; in time proportional to its length. */
export type Matcher = (uri: string) => RawValues | undefined;

/** A run of literals and one-segment variables, read from its beginning. */
interface Chain {
  readonly first: string;
  readonly rest: readonly { readonly name: string; readonly until: Needle }[];
}

/** Prepares the matching of a template. */
export function matcher(template: ParsedTemplate): Matcher {
  const { query } = template;
  const path = pathMatcher(template);
  if (query === undefined) return path;
  const names = new Set(query);
  return (uri) => {
    const mark = uri.indexOf('?');
    const found = path(mark === -1 ? uri : uri.slice(0, mark));
    if (found === undefined || mark === -1) return found;
    const pairs = pairsOf(uri.slice(mark + 1), names);
    return pairs === undefined ? undefined : new Map([...found, ...pairs]);
  };
}

function pathMatcher({ literals, path }: ParsedTemplate): Matcher {
  const names = path.map(({ name }) => name);
  const manyAt = path.findIndex(({ many }) => many);
  const many = names[manyAt];
  if (many === undefined) {
    const all = chain(literals, names);
    return (uri) => {
      const values = new Map<string, string>();
      return walk(all, uri, values, true) === -1 ? undefined : values;
    };
  }
  // At most one variable takes slashes. What follows it is read from the end, mirrored, so that no step is ever undone.
  const before = chain(literals.slice(0, manyAt + 1), names.slice(0, manyAt));
  const after = chain(
    literals
      .slice(manyAt + 1)
      .map(mirrored)
      .reverse(),
    names.slice(manyAt + 1).reverse(),
  );
  return (uri) => {
    const values = new Map<string, string>();
    const start = walk(before, uri, values, false);
    if (start === -1) return undefined;
    const tail = new Map<string, string>();
    const back = walk(
      after,
      after.rest.length === 0 ? mirroredEnd(uri, after.first) : mirrored(uri),
      tail,
      false,
    );
    const end = uri.length - back;
    if (back === -1 || end <= start) return undefined;
    const value = uri.slice(start, end);
    if (/[?#]/.test(value)) return undefined;
    values.set(many, value);
    for (const [name, found] of tail) values.set(name, mirrored(found));
    return values;
  };
}

function chain(literals: readonly string[], names: readonly string[]): Chain {
  const [first = '', ...rest] = literals;
  return { first, rest: names.map((name, index) => ({ name, until: needle(rest[index] ?? '') })) };
}

/**
 * Walks a chain and returns where it ends, or -1. Taking each literal where it first stands is enough: a variable stays
 * within its segment, so a later place could only lengthen the variable before it.
 */
function walk({ first, rest }: Chain, text: string, values: Map<string, string>, whole: boolean): number {
  if (!text.startsWith(first)) return -1;
  let at = first.length;
  for (const [index, { name, until }] of rest.entries()) {
    const last = whole && index === rest.length - 1;
    const end = last ? suffixAt(text, until.text) : find(until, text, at + 1);
    if (end <= at) return -1;
    const value = text.slice(at, end);
    if (/[/?#]/.test(value)) return -1;
    values.set(name, value);
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

/** As much of the mirrored uri as a literal has to be compared with. */
function mirroredEnd(uri: string, { length }: string): string {
  return length === 0 ? '' : mirrored(uri.slice(-length));
}

function pairsOf(query: string, names: ReadonlySet<string>): RawValues | undefined {
  const pairs = new Map<string, string>();
  if (query === '') return pairs;
  if (query.includes('#')) return undefined;
  for (let at = 0; at <= query.length;) {
    const next = query.indexOf('&', at);
    const end = next === -1 ? query.length : next;
    const pair = query.slice(at, end);
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    // A name that is unknown or comes twice ends it, so there are never more steps than variables.
    if (!names.has(name) || pairs.has(name)) return undefined;
    pairs.set(name, equals === -1 ? '' : pair.slice(equals + 1));
    at = end + 1;
  }
  return pairs;
}
