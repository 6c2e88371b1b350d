import type { JsonObject } from '@rxmcp/jsonrpc';
import { annotationChecks } from './annotations.js';
import { isObject } from './is-object.js';

/** What the optional members of something from the wire have to be. */
export type MemberChecks = Readonly<Record<string, (value: unknown) => boolean>>;

/** Hears of members that were left out. */
export type LeftOut = (members: readonly string[]) => void;

/** An entry without those optional members that are of a wrong type; the entry itself where all are right. */
export function wellTyped(entry: JsonObject, optional: MemberChecks, leftOut?: LeftOut): JsonObject {
  const wrong = Object.entries(optional).filter(
    ([member, is]) => entry[member] !== undefined && !is(entry[member]),
  );
  if (wrong.length === 0) return entry;
  const left = new Set(wrong.map(([member]) => member));
  leftOut?.([...left]);
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

/** The same for a whole entry, and for the hints among its `annotations` besides. */
export function wellAnnotated(entry: JsonObject, optional: MemberChecks, leftOut?: LeftOut): JsonObject {
  const typed = wellTyped(entry, { ...optional, annotations: isObject }, leftOut);
  const { annotations } = typed;
  if (!isObject(annotations)) return typed;
  const kept = wellTyped(annotations, annotationChecks, (members) =>
    leftOut?.(members.map((member) => `annotations.${member}`)),
  );
  return kept === annotations ? typed : { ...typed, annotations: kept };
}
