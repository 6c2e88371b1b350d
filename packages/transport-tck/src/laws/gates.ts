import type { SkipCondition } from './law.js';

/** The law looks at the served side. */
export const requiresLocalServer: SkipCondition = (facts) =>
  facts.outOfProcess ? 'the served side is remote' : undefined;

/** The law needs a peer that blocks its own process. */
export const requiresOutOfProcessServer: SkipCondition = (facts) =>
  facts.outOfProcess ? undefined : 'the served side is in this process';

/** The law injects raw frames. */
export const garbage: SkipCondition = (facts) =>
  facts.canInjectFrame ? undefined : 'no injectFrame hook was passed';

/** The law cuts the carrier. */
export const cut: SkipCondition = (facts) => (facts.canCut ? undefined : 'no cut hook was passed');

/** The law breaks one lane. */
export const requiresLaneCut: SkipCondition = (facts) =>
  facts.canCutLane ? undefined : 'no cutLane hook was passed';

/** The served side sends without being asked. */
export const requiresServerInitiates: SkipCondition = ({ traits, servedTraits }) =>
  traits.serverInitiates && servedTraits.serverInitiates ? undefined : 'traits.serverInitiates is false';

/** A connection is accepted when it is dialled, so that the kit can hold both of its sides. */
export const requiresAcceptAtDial: SkipCondition = ({ acceptsAt }) => {
  if (acceptsAt === 'dial') return undefined;
  return acceptsAt === 'session'
    ? 'a session is accepted at its opening'
    : 'an endpoint is accepted once for all connections';
};

/** Both sides have an end that the other one hears of. */
export const requiresConnectionPerClient: SkipCondition = ({ acceptsAt }) =>
  acceptsAt === 'endpoint' ? 'an endpoint outlives the connections to it' : undefined;

/** A session is opened after the dial. */
export const requiresSession: SkipCondition = ({ acceptsAt }) =>
  acceptsAt === 'session' ? undefined : 'no session is opened after the dial';

/** One connection serves whoever calls. */
export const requiresEndpoint: SkipCondition = ({ acceptsAt }) =>
  acceptsAt === 'endpoint' ? undefined : 'each connection has a served side of its own';

/** The served side may stop while the dialling side does not notice before it asks again. */
export const requiresAcceptAfterDial: SkipCondition = ({ acceptsAt }) =>
  acceptsAt === 'dial' ? 'a connection is accepted when it is dialled' : undefined;

/** The end of an exchange is the end of its lane. */
export const requiresLaneEnd: SkipCondition = ({ acceptsAt }) =>
  acceptsAt === 'session' ? 'a session outlives the exchanges of its requests' : undefined;

/** A lane that was cut stays so. */
export const requiresNoLaneResumption: SkipCondition = ({ resumesLanes }) =>
  resumesLanes ? 'a lane that was cut is taken up again' : undefined;

/** A lane that was cut is taken up again. */
export const requiresLaneResumption: SkipCondition = ({ resumesLanes }) =>
  resumesLanes ? undefined : 'a lane that was cut is not taken up again';

/** The transport dials again. */
export const requiresRedial: SkipCondition = (facts) =>
  facts.traits.redialable ? undefined : 'traits.redialable is false';

/** Everything shares one lane. */
export const requiresSharedLane: SkipCondition = (facts) =>
  facts.traits.lanes === 'shared' ? undefined : "traits.lanes is 'per-request'";

/** Every request has a lane of its own. */
export const requiresLanePerRequest: SkipCondition = (facts) =>
  facts.traits.lanes === 'per-request' ? undefined : "traits.lanes is 'shared'";

/** Ids are unique in a connection. */
export const requiresConnectionIdScope: SkipCondition = (facts) =>
  facts.traits.idScope === 'connection' ? undefined : "traits.idScope is 'lane'";

/** Ids are unique in a lane. */
export const requiresLaneIdScope: SkipCondition = (facts) =>
  facts.traits.idScope === 'lane' ? undefined : "traits.idScope is 'connection'";

/** Facts travel beside the body. */
export const requiresHeaders: SkipCondition = ({ traits, servedTraits }) =>
  traits.carriesHeaders && servedTraits.carriesHeaders ? undefined : 'traits.carriesHeaders is false';

const provableBytes = 64 * 1024 * 1024;

/** The size limit is small enough to be reached in a test. */
export const requiresMessageLimit: SkipCondition = (facts) =>
  facts.traits.maxMessageBytes <= provableBytes ? undefined : 'traits.maxMessageBytes is over 64 MiB';

/** Every gate has to be open. */
export function all(...gates: readonly SkipCondition[]): SkipCondition {
  return (facts) => {
    for (const gate of gates) {
      const reason = gate(facts);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}
