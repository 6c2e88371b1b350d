import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from './checks.js';

/** Returns a value as JSON with its members in alphabetical order: members in another order are the same value. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** So many values are one step. */
const stepValues = 1_024;
let seen = 0;

/** Does the same for a parsed value in steps. One step puts all names of an object in order, which takes less than parsing them. */
export function* canonicalSteps(parsed: unknown): Generator<void, string> {
  const steps: string[] = [];
  const pieces: string[] = [];
  yield* write(parsed, pieces, steps);
  return steps.join('') + pieces.join('');
}

/** Writes a value in pieces, and joins those of each step. Joined at each depth, a long string would be copied as often as it is nested. */
function* write(parsed: unknown, pieces: string[], steps: string[]): Generator<void, void> {
  if (++seen % stepValues === 0) {
    steps.push(pieces.splice(0).join(''));
    yield;
  }
  if (typeof parsed !== 'object' || parsed === null) {
    pieces.push(JSON.stringify(parsed));
    return;
  }
  const isArray = Array.isArray(parsed);
  pieces.push(isArray ? '[' : '{');
  let separator = '';
  for (const name of isArray ? parsed.keys() : Object.keys(parsed).sort()) {
    pieces.push(isArray ? separator : `${separator}${JSON.stringify(name)}:`);
    yield* write((parsed as JsonObject)[name], pieces, steps);
    separator = ',';
  }
  pieces.push(isArray ? ']' : '}');
}
