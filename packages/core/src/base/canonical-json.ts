import { isObject } from './checks.js';

/** Returns a value as JSON with its members in alphabetical order: members in another order are the same value. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // Text and no sorted objects: of many members those would take three times as long.
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join()}}`;
}
