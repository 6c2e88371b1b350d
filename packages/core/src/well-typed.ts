import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from './is-object.js';

/** What the optional members of something from the wire have to be. */
export type MemberChecks = Readonly<Record<string, (value: unknown) => boolean>>;

/** An entry without those optional members that are of a wrong type; the entry itself where all are right. */
export function wellTyped(entry: JsonObject, optional: MemberChecks): JsonObject {
  const wrong = Object.entries(optional).filter(
    ([member, is]) => entry[member] !== undefined && !is(entry[member]),
  );
  if (wrong.length === 0) return entry;
  const left = new Set(wrong.map(([member]) => member));
  return Object.fromEntries(Object.entries(entry).filter(([member]) => !left.has(member)));
}

export const isString = (value: unknown): boolean => typeof value === 'string';

/** The optional members that every entry of a list may have. */
export const entryChecks: MemberChecks = {
  title: isString,
  description: isString,
  icons: Array.isArray,
  _meta: isObject,
};
