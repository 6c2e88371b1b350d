import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import { quoted, describeValue } from '../base/message-text.js';
import type { RemoteLink } from '../contract/remote-link.js';

/** What the optional members of something from the wire have to be. */
export type MemberChecks = Readonly<Record<string, (value: unknown) => boolean>>;

/** Hears of members that were left out. */
export type OnMembersDropped = (members: readonly string[]) => void;

/** An entry without those optional members that are of a wrong type; the entry itself where all are right. */
export function omitInvalidMembers(
  entry: JsonObject,
  optional: MemberChecks,
  leftOut?: OnMembersDropped,
): JsonObject {
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

/**
 * Tells of members of what a peer sent that were left out, by the fault MEMBER_DROPPED. Only of the first: a list may have a hundred
 * thousand such entries.
 */
export function droppedMemberReporter(
  link: Pick<RemoteLink, 'fault'>,
  method: string,
): (where: string) => OnMembersDropped {
  let told = false;
  return (where) => (members) => {
    if (told) return;
    told = true;
    const what = members.slice(0, 10).map(quoted).join(', ');
    const message = `${quoted(method)}: left out ${what} of ${quoted(where)}, not what the specification has there`;
    link.fault({ code: 'MEMBER_DROPPED', message });
  };
}

/** Whether a value is a size: a whole number of bytes, before any base64 (schema 2026-07-28 Resource.size). */
export function isSize(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** Refuses what is no size. Throws a TypeError that begins with `where`. */
export function assertSize(where: string, size: unknown): void {
  if (size === undefined || isSize(size)) return;
  throw new TypeError(`${where}: "size" must be a whole number of bytes, not ${describeValue(size)}`);
}

/** Whether a text is a media type such as `text/plain; charset=utf-8` (RFC 9110 section 8.3.1). */
export function isMediaType(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 1_024 && syntax.test(value);
}

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const syntax = new RegExp(`^${token}/${token}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|"[^"\\\\\\r\\n]*"))*$`);
