import type { Gate } from './law.js';

/** The law looks at the served side. */
export const local: Gate = (facts) => (facts.remote ? 'the served side is remote' : undefined);

/** The law needs a peer that blocks its own process. */
export const remote: Gate = (facts) => (facts.remote ? undefined : 'the served side is in this process');

/** The law injects raw frames. */
export const garbage: Gate = (facts) => (facts.garbage ? undefined : 'no garbage hook was passed');

/** The law cuts the carrier. */
export const cut: Gate = (facts) => (facts.cut ? undefined : 'no cut hook was passed');

/** The law breaks one lane. */
export const laneCut: Gate = (facts) => (facts.cutLane ? undefined : 'no cutLane hook was passed');

/** The served side sends without being asked. */
export const pushes: Gate = ({ traits, served }) =>
  traits.push && served.push ? undefined : 'traits.push is false';

/** A connection is accepted when it is dialled, so that the kit can hold both of its sides. */
export const acceptedDial: Gate = ({ accepts }) => {
  if (accepts === 'dial') return undefined;
  return accepts === 'opening'
    ? 'a session is accepted at its opening'
    : 'an endpoint is accepted once for all connections';
};

/** Both sides have an end that the other one hears of. */
export const endsTogether: Gate = ({ accepts }) =>
  accepts === 'endpoint' ? 'an endpoint outlives the connections to it' : undefined;

/** A session is opened after the dial. */
export const opens: Gate = ({ accepts }) =>
  accepts === 'opening' ? undefined : 'no session is opened after the dial';

/** One connection serves whoever calls. */
export const endpoint: Gate = ({ accepts }) =>
  accepts === 'endpoint' ? undefined : 'each connection has a served side of its own';

/** The served side may stop while the dialling side does not notice before it asks again. */
export const afterDial: Gate = ({ accepts }) =>
  accepts === 'dial' ? 'a connection is accepted when it is dialled' : undefined;

/** The end of an exchange is the end of its lane. */
export const lanesEnd: Gate = ({ accepts }) =>
  accepts === 'opening' ? 'a session outlives the exchanges of its requests' : undefined;

/** A lane that was cut stays so. */
export const laneLost: Gate = ({ resumes }) =>
  resumes ? 'a lane that was cut is taken up again' : undefined;

/** A lane that was cut is taken up again. */
export const laneResumed: Gate = ({ resumes }) =>
  resumes ? undefined : 'a lane that was cut is not taken up again';

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
export const mirrors: Gate = ({ traits, served }) =>
  traits.mirrors && served.mirrors ? undefined : 'traits.mirrors is false';

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
