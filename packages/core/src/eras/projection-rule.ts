import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import { legacyVersions } from './versions.js';

/**
 * Converts an object to what a revision defines. Returns the same object if nothing changes, so that the usual case
 * allocates nothing.
 */
export type Rule = (thing: JsonObject) => JsonObject;

/** Applies rules one after the other; undefined without rules. */
export function chain(...rules: readonly (Rule | undefined)[]): Rule | undefined {
  return rules.reduce((before, after) => {
    if (before === undefined || after === undefined) return before ?? after;
    return (thing) => after(before(thing));
  }, undefined);
}

/** Removes members. */
export function without(names: readonly string[]): Rule | undefined {
  if (names.length === 0) return undefined;
  const removed = new Set(names);
  const bare: Rule = (thing) =>
    Object.fromEntries(Object.entries(thing).filter(([name]) => !removed.has(name)));
  return (thing) => {
    // This runs for every block of a result and almost never finds a member.
    for (const name of names) if (thing[name] !== undefined) return bare(thing);
    return thing;
  };
}

/** Applies a rule to one member that is an object. */
export function inMember(name: string, rule: Rule | undefined): Rule | undefined {
  if (rule === undefined) return undefined;
  return (thing) => {
    const before = thing[name];
    if (!isObject(before)) return thing;
    const after = rule(before);
    return after === before ? thing : { ...thing, [name]: after };
  };
}

/** Applies a rule to every object in one member that is an array. */
export function inEach(name: string, rule: Rule | undefined): Rule | undefined {
  if (rule === undefined) return undefined;
  return (thing) => {
    const before = thing[name];
    if (!Array.isArray(before)) return thing;
    const after = mapped(before, rule);
    return after === before ? thing : { ...thing, [name]: after };
  };
}

/** Applies a rule to every object of an array. Returns the same array if nothing changes. */
export function mapped(list: readonly unknown[], rule: Rule): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at += 1) {
    const before = list[at];
    if (!isObject(before)) continue;
    const after = rule(before);
    if (after !== before) (copy ??= [...list])[at] = after;
  }
  return copy ?? list;
}

/** Creates a table of rules by method, without those that change nothing. */
export function table(rules: Readonly<Record<string, Rule | undefined>>): ReadonlyMap<string, Rule> {
  const entries = Object.entries(rules).filter((entry): entry is [string, Rule] => entry[1] !== undefined);
  return new Map(entries);
}

/** Creates a value once per revision, at first use. A version between two revisions counts as the older one. */
export function perRevision<T>(make: (revision: string) => T): (version: string) => T {
  const made = new Map<string, T>();
  return (version) => {
    const known = made.get(version);
    if (known !== undefined) return known;
    const revision = legacyVersions.find((one) => one <= version) ?? (legacyVersions.at(-1) as string);
    let value = made.get(revision);
    if (value === undefined) made.set(revision, (value = make(revision)));
    return value;
  };
}
