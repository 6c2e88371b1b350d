import { isObject } from './checks.js';

/** Returns a text that is the same for equal JSON values, whatever the order of their members. It is not JSON itself. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // Text and no sorted objects: of many members those would take three times as long.
  const names = Object.keys(value).sort();
  return `{${canonicalJson(names.flatMap((name) => [name, value[name]]))}}`;
}
