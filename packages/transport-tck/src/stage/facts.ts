import type { Traits } from '@rxmcp/transport';
import type { AcceptsAt } from '../harness/fixture.js';

/** What decides whether a law applies: traits and what the author handed in, never a transport's name. */
export interface RuleContext {
  /** Of the dialling side. */
  readonly traits: Traits;
  /** Of the served side; those of the dialling side where both state the same, or it is remote. */
  readonly servedTraits: Traits;
  readonly acceptsAt: AcceptsAt;
  /** The served side runs elsewhere, so nothing on it can be looked at. */
  readonly outOfProcess: boolean;
  readonly canInjectFrame: boolean;
  readonly canCut: boolean;
  readonly canCutLane: boolean;
  /** A lane that is cut is taken up again. */
  readonly resumesLanes: boolean;
}
