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
  if (++seen % stepValues === 0) yield;
  if (typeof parsed !== 'object' || parsed === null) return JSON.stringify(parsed);
  const texts: string[] = [];
  if (Array.isArray(parsed)) {
    for (const item of parsed) texts.push(yield* canonicalSteps(item));
    return `[${texts.join()}]`;
  }
  for (const name of Object.keys(parsed).sort())
    texts.push(`${JSON.stringify(name)}:${yield* canonicalSteps((parsed as JsonObject)[name])}`);
  return `{${texts.join()}}`;
}
