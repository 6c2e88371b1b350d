import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import { quoted, describeValue } from '../base/message-text.js';
import { type OnMembersDropped, type MemberChecks, omitInvalidMembers } from './member-checks.js';

/** Names the party that content is from or for. */
export type Role = 'user' | 'assistant';

/**
 * Hints about a piece of content. Do not trust them.
 * @see Spec 2026-07-28 server/resources#annotations
 */
export interface Annotations {
  readonly audience?: readonly Role[];
  /** How important the content is, from 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** When the content changed last, as an ISO 8601 time. */
  readonly lastModified?: string;
  readonly [member: string]: unknown;
}

const annotationChecks: MemberChecks = {
  audience: (value) => Array.isArray(value) && value.every((one) => one === 'user' || one === 'assistant'),
  priority: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  lastModified: (value) => typeof value === 'string' && timeOf(value) !== undefined,
};

/**
 * Something that {@link forAudience}, {@link byPriority} and {@link byLastModified} filter and sort: a resource, a
 * template or a content block.
 */
export interface Annotated {
  readonly annotations?: Annotations | undefined;
}

/** Returns a predicate for `filter` that keeps what is meant for a role. Content without an audience is for every role. */
export function forAudience(role: Role): (annotated: Annotated) => boolean {
  return ({ annotations }) => {
    const audience = annotations?.audience ?? [];
    return audience.length === 0 || audience.includes(role);
  };
}

/** Compares for `sort`, the most important first. Content without a priority counts as 0. */
export function byPriority(one: Annotated, other: Annotated): number {
  return (other.annotations?.priority ?? 0) - (one.annotations?.priority ?? 0);
}

/** Compares for `sort`, the latest first and content without a time last. A time without a zone counts as UTC. */
export function byLastModified(one: Annotated, other: Annotated): number {
  const [a = -Infinity, b = -Infinity] = [one, other].map(({ annotations }) =>
    annotations?.lastModified === undefined ? undefined : timeOf(annotations.lastModified),
  );
  return a === b ? 0 : b - a;
}

/** Throws a TypeError that begins with `where` for annotations that the specification does not allow. */
export function assertAnnotations(where: string, annotations: unknown): void {
  if (annotations === undefined) return;
  if (!isObject(annotations)) throw new TypeError(`${where}: "annotations" must be an object`);
  for (const [member, rule] of Object.entries(rules)) {
    const value = annotations[member];
    if (value === undefined || annotationChecks[member]?.(value) === true) continue;
    const found = Array.isArray(value) ? `[${value.map(describeValue).join(', ')}]` : describeValue(value);
    throw new TypeError(`${where}: the annotation ${quoted(member)} must be ${rule}, not ${found}`);
  }
}

const rules = {
  audience: 'a list of "user" and "assistant"',
  priority: 'a number from 0 to 1',
  lastModified: 'an ISO 8601 time such as "2025-01-12T15:00:58Z"',
};

/**
 * Parses an ISO 8601 calendar date, with or without a time, in the basic or the extended format. Returns
 * milliseconds since 1970, or undefined if the text is not such a date. A time without a zone counts as UTC.
 */
export function timeOf(text: string): number | undefined {
  const found = text.length > 40 ? null : (extended.exec(text) ?? basic.exec(text));
  if (found === null) return undefined;
  const [, year, month = '01', day = '01', hours = '00', minutes = '00', seconds = '00', part = '', zone] =
    found;
  const [y, m, d, h, min, s] = [year, month, day, hours, minutes, seconds].map(Number) as unknown as Numbers;
  // Day 0 of the next month is the last one of this month.
  const days = new Date(Date.UTC(2_000 + (y % 400), m, 0)).getUTCDate();
  if (m < 1 || m > 12 || d < 1 || d > days) return undefined;
  // 24:00 ends a day, and second 60 is a leap second.
  if (h > 24 || min > 59 || s > 60 || (h === 24 && min + s > 0)) return undefined;
  const offset = offsetOf(zone ?? 'Z');
  if (offset === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(y, m - 1, d);
  date.setUTCHours(h, min - offset, s, Math.floor(Number(`0.${part === '' ? 0 : part}`) * 1_000));
  return date.getTime();
}

type Numbers = readonly [number, number, number, number, number, number];

const extended =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/;
const basic =
  /^(\d{4})(\d{2})(\d{2})(?:[Tt](\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,12}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

function offsetOf(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2)) * (zone.length > 3 ? 1 : 0)];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Returns an entry without its optional members and annotations of a wrong type, or the entry itself if all are valid. */
export function omitInvalidAnnotations(
  entry: JsonObject,
  optional: MemberChecks,
  onDropped?: OnMembersDropped,
): JsonObject {
  if (entry.annotations === undefined) return omitInvalidMembers(entry, optional, onDropped);
  const typed = omitInvalidMembers(entry, { ...optional, annotations: isObject }, onDropped);
  const { annotations } = typed;
  if (!isObject(annotations)) return typed;
  const kept = omitInvalidMembers(annotations, annotationChecks, (members) =>
    onDropped?.(members.map((member) => `annotations.${member}`)),
  );
  return kept === annotations ? typed : { ...typed, annotations: kept };
}
