import type { Facts } from '../stage/facts.js';
import type { Stage } from '../stage/stage.js';
import type { Trace } from '../stage/trace.js';

/** One thing that every transport with the right traits does. */
export interface Law {
  /** `group/name`; stable. */
  readonly id: string;
  /** The law in one sentence. */
  readonly says: string;
  /** Why the law cannot be proven here; without a gate it always can. */
  readonly gate?: Gate;
  /** Throws where the transport breaks the law. */
  prove(stage: Stage): Promise<void>;
}

/** Gives the reason why a law is not run, or nothing where it is. */
export type Gate = (facts: Facts) => string | undefined;

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
