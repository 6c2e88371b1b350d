import type { ValidationRun } from './validation-run.js';

/** One keyword, ready: whether a value is right by it. What is wrong, it notes in the run. */
export type Check = (value: unknown, run: ValidationRun, seen: EvaluatedMembers | undefined) => boolean;

/** One schema, ready. */
export interface Node {
  /** Where it is, as a JSON Pointer. */
  readonly at: string;
  readonly resource: string;
  readonly checks: Check[];
  /** Checks of what no other keyword has looked at; they come last. */
  readonly lastly: Check[];
  /** The schemas that look at the same value. */
  readonly beside: Node[];
}

/** Holds a value against a schema. */
export function evaluate(node: Node, value: unknown, run: ValidationRun, outer?: EvaluatedMembers): boolean {
  run.spend(1);
  run.enter();
  // A schema does not see what its siblings have evaluated, and what it has evaluated counts only if it is valid.
  const seen = outer !== undefined || node.lastly.length > 0 ? new EvaluatedMembers() : undefined;
  const scoped = run.scope.at(-1) !== node.resource;
  if (scoped) run.scope.push(node.resource);
  const valid = every(node.checks, value, run, seen) && every(node.lastly, value, run, seen);
  if (scoped) run.scope.pop();
  run.leave();
  if (valid && outer !== undefined && seen !== undefined) run.spend(outer.merge(seen) >> 3);
  return valid;
}

/** The same for a member or an item of the value. */
export function evaluateAt(node: Node, key: string | number, value: unknown, run: ValidationRun): boolean {
  run.path.push(key);
  const valid = evaluate(node, value, run);
  run.path.pop();
  return valid;
}

function every(
  checks: readonly Check[],
  value: unknown,
  run: ValidationRun,
  seen: EvaluatedMembers | undefined,
): boolean {
  let valid = true;
  for (const check of checks) {
    if (check(value, run, seen)) continue;
    valid = false;
    if (!run.looking) return false;
  }
  return valid;
}

/** The evaluated members of one object or array, for `unevaluatedProperties` and `unevaluatedItems`. */
class EvaluatedMembers {
  #all = false;
  readonly #keys = new Set<string | number>();

  add(key: string | number): void {
    this.#keys.add(key);
  }

  addAll(): void {
    this.#all = true;
  }

  has(key: string | number): boolean {
    return this.#all || this.#keys.has(key);
  }

  /** Adds the members that another schema has evaluated. Returns their number. */
  merge(other: EvaluatedMembers): number {
    this.#all ||= other.#all;
    for (const key of other.#keys) this.#keys.add(key);
    return other.#keys.size;
  }
}
