import type { RuleContext } from '../stage/facts.js';
import type { Harness } from '../harness/harness.js';
import type { Trace } from '../harness/trace.js';

/** One thing that every transport with the right traits does. */
export interface Rule {
  /** `group/name`; stable. */
  readonly id: string;
  /** The law in one sentence. */
  readonly description: string;
  /** Why the law cannot be proven here; without a gate it always can. */
  readonly skipIf?: SkipCondition;
  /** Throws where the transport breaks the law. */
  verify(stage: Harness): Promise<void>;
}

/** Gives the reason why a law is not run, or nothing where it is. */
export type SkipCondition = (facts: RuleContext) => string | undefined;

/** A law was broken; the message ends with the frames that led to it. */
export class ContractViolationError extends Error {
  override readonly name = 'ContractViolationError';
  /** The id of the law. */
  readonly rule: string;

  constructor(rule: Rule, why: unknown, trace: Trace) {
    const reason = why instanceof Error ? why.message : String(why);
    super(`${rule.id}: ${rule.description}\n  ${reason}\n${trace.text()}`, { cause: why });
    this.rule = rule.id;
  }
}
