import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import { quoted, describeValue } from '../base/message-text.js';
import type { RemoteLink } from '../contract/remote-link.js';

/** Predicates by optional member of a received entry. */
export type MemberChecks = Readonly<Record<string, (value: unknown) => boolean>>;

/** Receives the names of members that were removed. */
export type OnMembersDropped = (members: readonly string[]) => void;

/** Returns an entry without its optional members of a wrong type, or the entry itself if all are valid. */
export function omitInvalidMembers(
  entry: JsonObject,
  optional: MemberChecks,
  onDropped?: OnMembersDropped,
): JsonObject {
  let wrong: string[] | undefined;
  // A list may have 100,000 entries, of which hardly any is wrong.
  for (const member in optional)
    if (entry[member] !== undefined && optional[member]?.(entry[member]) === false)
      (wrong ??= []).push(member);
  if (wrong === undefined) return entry;
  onDropped?.(wrong);
  const left = { ...entry };
  for (const member of wrong) delete left[member];
  return left;
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
 * Reports members that were removed from a received entry by the fault MEMBER_DROPPED. Reports the first entry
 * only, because a list may have 100,000 of them.
 */
export function droppedMemberReporter(
  link: Pick<RemoteLink, 'fault'>,
  method: string,
): (where: string) => OnMembersDropped {
  let isReported = false;
  return (where) => (members) => {
    if (isReported) return;
    isReported = true;
    const what = members.slice(0, 10).map(quoted).join(', ');
    const message = `${quoted(method)}: removed ${what} of ${quoted(where)}: not of the type that the specification defines`;
    link.fault({ code: 'MEMBER_DROPPED', message });
  };
}

/**
 * Whether a value is a size: a whole number of bytes, before base64.
 * @see Schema 2026-07-28 Resource.size
 */
export function isSize(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** Throws a TypeError that begins with `where` for a value that is not a size. */
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
