import type { Traits } from '@rxmcp/transport';
import type { AcceptsAt } from '../fixture/fixture.js';

/** Describes what decides whether a rule applies: the traits and the hooks of the fixture, never the name of a transport. */
export interface RuleContext {
  /** The traits of the dialling side. */
  readonly traits: Traits;
  /** The traits of the served side. With `acceptsAt: 'dial'` and out of process they are those of the dialling side. */
  readonly servedTraits: Traits;
  readonly acceptsAt: AcceptsAt;
  /** Whether the served side runs in another process, so that rules cannot inspect it. */
  readonly outOfProcess: boolean;
  readonly canInjectFrame: boolean;
  /** What cannot be injected. */
  readonly notInjectable: readonly ('served' | 'dialled' | 'bytes' | 'batch')[];
  readonly canCut: boolean;
  /** Whether the fixture cuts in other ways too. */
  readonly hasOtherCuts: boolean;
  /** What passes through the relay of the fixture, if it has one. */
  readonly relayed: 'bytes' | 'frames' | undefined;
  /** Whether that relay frames messages: then all that a connection sends passes through one wire of its own. */
  readonly relaysFrames: boolean;
  readonly hasResidue: boolean;
  readonly firstMessageTimeoutMs: number | undefined;
  readonly pausesReading: boolean;
  readonly canCutLane: boolean;
  /** Whether the transport resumes a lane that was cut. */
  readonly resumesLanes: boolean;
}
