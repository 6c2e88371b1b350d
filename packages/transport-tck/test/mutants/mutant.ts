import type { Parts } from '../pipe.js';

/** What a transport that is broken on purpose has to show. */
export interface Broken {
  /** Ends the sentence "a pipe that ...". */
  readonly name: string;
  /** The law it must break. */
  readonly law: string;
  /** What the law's message says about it. */
  readonly because: string;
  /** Breaks no other law, not even one of its group. */
  readonly alone?: true;
  /** What it does wrong is looked at in every law, so that any may break with it. */
  readonly everywhere?: true;
  /** Laws of other groups that break with it; each entry has a comment that says why. */
  readonly also?: readonly string[];
}

/** A working pipe with one change. */
export interface Mutant extends Broken {
  /** Replaces parts of the pipe, in at most ten lines. */
  change(parts: Parts): Partial<Parts>;
}

/** Timers that a leaking mutant leaves behind, for the test to clear. */
export const leaked: ReturnType<typeof setInterval>[] = [];

/** The group of a law, of its id or of a text that begins with it. */
export function group(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
