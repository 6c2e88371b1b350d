import type { Gate } from './law.js';

/** The law looks at the served side. */
export const local: Gate = (facts) => (facts.remote ? 'the served side is remote' : undefined);

/** The law needs a peer that blocks its own process. */
export const remote: Gate = (facts) => (facts.remote ? undefined : 'the served side is in this process');

/** The law injects raw frames. */
export const garbage: Gate = (facts) => (facts.garbage ? undefined : 'no garbage hook was passed');

/** The law cuts the carrier. */
export const cut: Gate = (facts) => (facts.cut ? undefined : 'no cut hook was passed');

/** The served side sends without being asked. */
export const pushes: Gate = (facts) => (facts.traits.push ? undefined : 'traits.push is false');

/** The transport dials again. */
export const redials: Gate = (facts) => (facts.traits.redialable ? undefined : 'traits.redialable is false');

/** Everything shares one lane. */
export const sharedLane: Gate = (facts) =>
  facts.traits.lanes === 'shared' ? undefined : "traits.lanes is 'per-request'";

/** Every request has a lane of its own. */
export const ownLanes: Gate = (facts) =>
  facts.traits.lanes === 'per-request' ? undefined : "traits.lanes is 'shared'";

/** Ids are unique in a connection. */
export const connectionIds: Gate = (facts) =>
  facts.traits.idScope === 'connection' ? undefined : "traits.idScope is 'lane'";

/** Ids are unique in a lane. */
export const laneIds: Gate = (facts) =>
  facts.traits.idScope === 'lane' ? undefined : "traits.idScope is 'connection'";

/** Facts travel beside the body. */
export const mirrors: Gate = (facts) => (facts.traits.mirrors ? undefined : 'traits.mirrors is false');

const provableBytes = 64 * 1024 * 1024;

/** The size limit is small enough to be reached in a test. */
export const limited: Gate = (facts) =>
  facts.traits.maxMessageBytes <= provableBytes ? undefined : 'traits.maxMessageBytes is over 64 MiB';

/** Every gate has to be open. */
export function all(...gates: readonly Gate[]): Gate {
  return (facts) => {
    for (const gate of gates) {
      const reason = gate(facts);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}
