import type { Traits } from '@rxmcp/transport';
import type { Accepts } from './rig.js';

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
