import type { Annotations, Role } from './content.js';
import { timeOf } from './iso-time.js';
import { isObject } from './is-object.js';
import { quoted, shown } from './names.js';
import type { MemberChecks } from './well-typed.js';

/** What annotations have to be (spec 2026-07-28 server/resources#annotations). */
export const annotationChecks: MemberChecks = {
  audience: (value) => Array.isArray(value) && value.every((one) => one === 'user' || one === 'assistant'),
  priority: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  lastModified: (value) => typeof value === 'string' && timeOf(value) !== undefined,
};

/** What can be sorted and filtered: a resource, a template, a block of content. */
export interface Annotated {
  readonly annotations?: Annotations | undefined;
}

/** Says for `filter` whether something is meant for a role; what names no audience is for everybody. */
export function forAudience(role: Role): (annotated: Annotated) => boolean {
  return ({ annotations }) => {
    const audience = annotations?.audience ?? [];
    return audience.length === 0 || audience.includes(role);
  };
}

/** Puts, for `sort`, the most important first. What says nothing counts as 0, entirely optional. */
export function byPriority(one: Annotated, other: Annotated): number {
  return (other.annotations?.priority ?? 0) - (one.annotations?.priority ?? 0);
}

/** Puts, for `sort`, the latest first and what says no time last. A time without a zone counts as UTC. */
export function byLastModified(one: Annotated, other: Annotated): number {
  const [a = -Infinity, b = -Infinity] = [one, other].map(({ annotations }) =>
    annotations?.lastModified === undefined ? undefined : timeOf(annotations.lastModified),
  );
  return a === b ? 0 : b - a;
}

/** Refuses annotations that no peer would take. Throws a TypeError that begins with `where`. */
export function refuseAnnotations(where: string, annotations: unknown): void {
  if (annotations === undefined) return;
  if (!isObject(annotations)) throw new TypeError(`${where}: "annotations" must be an object`);
  for (const [member, rule] of Object.entries(rules)) {
    const value = annotations[member];
    if (value === undefined || annotationChecks[member]?.(value) === true) continue;
    const found = Array.isArray(value) ? `[${value.map(shown).join(', ')}]` : shown(value);
    throw new TypeError(`${where}: the annotation ${quoted(member)} must be ${rule}, not ${found}`);
  }
}

const rules = {
  audience: 'a list of "user" and "assistant"',
  priority: 'a number from 0 to 1',
  lastModified: 'an ISO 8601 time such as "2025-01-12T15:00:58Z"',
};
