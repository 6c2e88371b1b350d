import { endOfString } from './json-scan.js';
import { WireError } from '../messages/wire-error.js';

/** Limits of the shape of incoming JSON. The bytes of a message are limited where it is framed. */
export interface JsonLimits {
  /** How deep objects and arrays may nest. @default 128 */
  readonly maxDepth: number;
  /** How many values of any type one text may hold. @default 200_000 */
  readonly maxValues: number;
}

/** The default limits. */
export const defaultJsonLimits: JsonLimits = Object.freeze({ maxDepth: 128, maxValues: 200_000 });

/**
 * Throws a {@link WireError} when JSON text is nested too deep or has too many values, before anything is built from it.
 * The text is scanned only when a cheap bound (its brackets, its length) leaves that possible.
 */
export function checkShape(text: string, limits: JsonLimits): void {
  // A value other than the outermost takes at least two characters: itself and a comma or bracket.
  const manyNodes = text.length >= 2 * limits.maxValues;
  if (manyNodes || hasMoreThan(text, limits.maxDepth)) scan(text, limits);
}

/** V8 hashes longer names by their length alone, so that parsing many of them takes quadratic time. */
const maxMemberName = 16_383;

/** Counts opening brackets, those inside strings too, and stops at the limit. */
function hasMoreThan(text: string, limit: number): boolean {
  // What opens an array takes one character, what opens an object around a value four: a short text needs no second look.
  if (text.length <= limit) return false;
  let left = limit;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) if (left-- === 0) return true;
  if (text.length <= limit + 3 * left) return false;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) if (left-- === 0) return true;
  return false;
}

/** Walks the text outside its strings. Invalid JSON may be miscounted: the parser rejects it anyway. */
function scan(text: string, { maxDepth, maxValues }: JsonLimits): void {
  let depth = 0;
  // Every comma is followed by a value, every opening bracket by a value unless it is closed at once.
  let nodes = 1;
  let opened = false;
  // Of the last string: only the name of a member is followed by a colon.
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) continue;
    const closes = code === 0x5d || code === 0x7d;
    if ((code === 0x2c || (opened && !closes)) && ++nodes > maxValues)
      throw rejected(`holds more than ${maxValues} values`);
    opened = code === 0x5b || code === 0x7b;
    if (code === 0x22) {
      const start = at + 1;
      at = endOfString(text, at);
      length = at - start;
    } else if (code === 0x3a && length > maxMemberName)
      throw rejected(`holds more than ${maxMemberName} characters in a name`);
    else if (opened && ++depth > maxDepth) throw rejected(`nests deeper than ${maxDepth}`);
    else if (closes) depth--;
  }
}

function rejected(problem: string): WireError {
  return new WireError('INVALID_MESSAGE', `the message ${problem}`);
}
