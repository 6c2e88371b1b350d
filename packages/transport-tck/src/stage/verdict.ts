import type { Law } from '../law.js';
import type { Trace } from './trace.js';

/** A law was broken; the message ends with the frames that led to it. */
export class LawBroken extends Error {
  override readonly name = 'LawBroken';
  /** The id of the law. */
  readonly law: string;

  constructor(law: Law, why: unknown, trace: Trace) {
    const reason = why instanceof Error ? why.message : String(why);
    super(`${law.id}: ${law.says}\n  ${reason}\n${trace.text()}`, { cause: why });
    this.law = law.id;
  }
}

/** Fails with `message` unless `fact` holds. */
export function assert(fact: boolean, message: string): asserts fact {
  if (!fact) throw new Error(message);
}

/** Fails unless both are the same JSON value. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const seen = shown(actual);
  const wanted = shown(expected);
  if (seen !== wanted) throw new Error(`${what}: expected ${brief(wanted)}, saw ${brief(seen)}`);
}

/** One line of a value, cut to a readable length. */
export function brief(text: string, length = 160): string {
  return text.length <= length ? text : `${text.slice(0, length)}... (${text.length} characters)`;
}

function shown(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(value);
}
