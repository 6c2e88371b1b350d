import type { Shape } from './shape.js';

/** What is quickly told of a template: how it begins and ends, and its segments where their number is fixed. */
export interface Outline {
  readonly first: string;
  readonly last: string;
  readonly segments: readonly Segment[] | undefined;
}

/** A segment: what stands before its first variable and behind its last one; `behind` is undefined where it has none. */
interface Segment {
  readonly before: string;
  readonly behind: string | undefined;
}

/** The outline of a shape. */
export function outlineOf({ literals, groups }: Shape): Outline {
  const fixed = groups.every(({ many }) => !many);
  return {
    first: literals[0] ?? '',
    last: literals.at(-1) ?? '',
    segments: fixed ? literals.join(variable).split('/').map(segmentOf) : undefined,
  };
}

/** Whether there may be a text that both take; false only where there is none for sure. */
export function mayMeet(one: Outline, other: Outline): boolean {
  if (one.segments === undefined || other.segments === undefined)
    return alikeAtStart(one.first, other.first) && alikeAtEnd(one.last, other.last);
  const others = other.segments;
  return (
    one.segments.length === others.length &&
    one.segments.every((segment, at) => segmentsMayMeet(segment, others[at] as Segment))
  );
}

/** In no literal: those are of characters that a uri may hold. */
const variable = '\0';

function segmentOf(text: string): Segment {
  const at = text.indexOf(variable);
  if (at === -1) return { before: text, behind: undefined };
  return { before: text.slice(0, at), behind: text.slice(text.lastIndexOf(variable) + 1) };
}

function segmentsMayMeet(one: Segment, other: Segment): boolean {
  if (one.behind === undefined)
    return other.behind === undefined ? one.before === other.before : takes(other, one.before);
  if (other.behind === undefined) return takes(one, other.before);
  return alikeAtStart(one.before, other.before) && alikeAtEnd(one.behind, other.behind);
}

function takes({ before, behind = '' }: Segment, text: string): boolean {
  return text.startsWith(before) && text.endsWith(behind);
}

function alikeAtStart(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

function alikeAtEnd(one: string, other: string): boolean {
  return one.endsWith(other) || other.endsWith(one);
}
