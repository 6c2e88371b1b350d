import type { EraId } from 'rxmcp';
import type { Traits } from 'rxmcp/transport';
import type { Stage } from './stage.js';

/** One feature of the protocol, tried on one transport in one era. */
export interface Feature {
  /** The column of the table. */
  readonly name: string;
  /**
   * Sends a value that was never there before on its way and looks for it in what comes back over the wire. Rejects where
   * it is not there.
   */
  run(stage: Stage): Promise<void>;
  /** Whether a transport with these traits can carry it in that era. */
  carried(traits: Traits, era: EraId): boolean;
}

/** Makes a feature; every transport carries it in every era unless something else is said. */
export function feature(
  name: string,
  run: Feature['run'],
  carried: Feature['carried'] = () => true,
): Feature {
  return { name, run, carried };
}

/** A server can tell of changes where it may send unasked; in the modern era the subscription is a request of its own. */
export const carriesNotices: Feature['carried'] = (traits, era) => era === 'modern' || traits.serverInitiates;

/** A client can be asked where it can answer; in the modern era answers travel with the next try of the call. */
export const carriesAsks: Feature['carried'] = (traits, era) => era === 'modern' || traits.clientReplies;

/** Compares what was read back with what was sent. Throws an error that shows both. */
export function same(what: string, got: unknown, wanted: unknown): void {
  const [shown, expected] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (shown !== expected) throw new Error(`${what} is ${shown}, not ${expected}`);
}
