import type { Traits } from '@rxmcp/transport';
import type { Accepts } from './stage/rig.js';
import type { Stage } from './stage/stage.js';

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

/** What decides whether a law applies: traits and what the author handed in, never a transport's name. */
export interface Facts {
  /** Of the dialling side. */
  readonly traits: Traits;
  /** Of the served side; those of the dialling side where both state the same, or it is remote. */
  readonly served: Traits;
  readonly accepts: Accepts;
  /** The served side runs elsewhere, so nothing on it can be looked at. */
  readonly remote: boolean;
  readonly garbage: boolean;
  readonly cut: boolean;
  readonly cutLane: boolean;
  /** A lane that is cut is taken up again. */
  readonly resumes: boolean;
}

/** Gives the reason why a law is not run, or nothing where it is. */
export type Gate = (facts: Facts) => string | undefined;
