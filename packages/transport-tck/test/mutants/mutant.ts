import type { Parts } from '../pipe.js';

/** What a transport that is broken on purpose must show. */
export interface Broken {
  /** Ends the sentence "a pipe that ...". */
  readonly name: string;
  /** The rule it must break. */
  readonly law: string;
  /** What the rule's message says about it. */
  readonly because: string;
  /** Breaks no other rule, not even one of its group. */
  readonly alone?: true;
  /** Every rule looks at what it does wrong, so that any may break with it. */
  readonly everywhere?: true;
  /** Rules of other groups that break with it; each entry has a comment that says why. */
  readonly also?: readonly string[];
}

/** A working pipe with one change. */
export interface Mutant extends Broken {
  /** Replaces parts of the pipe, in at most ten lines. */
  change(parts: Parts): Partial<Parts>;
}

/** Timers that a leaking mutant leaves behind, for the test to clear. */
export const leaked: ReturnType<typeof setInterval>[] = [];

/** The group of a rule, of its id or of a text that begins with it. */
export function group(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
