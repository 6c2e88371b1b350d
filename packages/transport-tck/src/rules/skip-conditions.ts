import type { RuleContext } from './rule-context.js';
import type { SkipCondition } from './rule.js';

/** The rule inspects the served side. */
export const requiresLocalServer: SkipCondition = (context) =>
  context.outOfProcess ? 'the served side is remote' : undefined;

/** The rule needs a peer that blocks its own process. */
export const requiresOutOfProcessServer: SkipCondition = (context) =>
  context.outOfProcess ? undefined : 'the served side is in this process';

/** The rule injects raw frames. */
export const requiresInjectFrame: SkipCondition = (context) =>
  context.canInjectFrame ? undefined : 'no injectFrame hook was passed';

/** The rule injects frames of a kind. */
export function requiresInjectable(kind: RuleContext['notInjectable'][number]): SkipCondition {
  return ({ notInjectable }) =>
    notInjectable.includes(kind)
      ? `the fixture's \`injectFrame\` hook cannot send: ${notInjectable.join(', ')}`
      : undefined;
}

/** The rule cuts the connection. */
export const requiresCut: SkipCondition = (context) =>
  context.canCut ? undefined : 'no cut hook was passed';

/** The rule cuts the connection in other ways. */
export const requiresOtherCuts: SkipCondition = ({ hasOtherCuts }) =>
  hasOtherCuts ? undefined : 'no otherCuts were passed';

/** The rule disturbs what passes between both sides. */
export const requiresRelay: SkipCondition = ({ relayed }) =>
  relayed === undefined ? 'no relay was passed' : undefined;

/** A connection has a wire of its own, and shares no sockets with others. */
export const requiresOwnWire: SkipCondition = ({ relaysFrames, relayed, traits, acceptsAt }) => {
  const hasLanes = relayed !== undefined && traits.lanes === 'per-request' && acceptsAt === 'dial';
  return relaysFrames || hasLanes ? undefined : 'no relay with `frame` was passed';
};

/** The rule splits what passes at any byte. */
export const requiresByteRelay: SkipCondition = ({ relayed }) =>
  relayed === 'bytes' ? undefined : 'no relay of bytes was passed';

/** The rule breaks one lane. */
export const requiresLaneCut: SkipCondition = (context) =>
  context.canCutLane ? undefined : 'no cutLane hook was passed';

/** The served side sends without being asked. */
export const requiresServerInitiates: SkipCondition = ({ traits, servedTraits }) =>
  traits.serverInitiates && servedTraits.serverInitiates ? undefined : 'traits.serverInitiates is false';

/** The dialling side answers requests. */
export const requiresClientReplies: SkipCondition = ({ traits, servedTraits }) =>
  traits.clientReplies && servedTraits.clientReplies ? undefined : 'traits.clientReplies is false';

/** The fixture counts what is kept for its connections. */
export const requiresResidue: SkipCondition = ({ hasResidue }) =>
  hasResidue ? undefined : 'no residue hook was passed';

/** The served side has a deadline for the first message. */
export const requiresFirstMessageTimeout: SkipCondition = ({ firstMessageTimeoutMs }) =>
  firstMessageTimeoutMs === undefined ? 'the fixture has no `firstMessageTimeoutMs`' : undefined;

/** The served side reads no further while its sends wait. */
export const requiresReadPausing: SkipCondition = ({ pausesReading }) =>
  pausesReading ? undefined : 'the fixture has no `pausesReading`';

/** A connection is accepted when it is dialled, so that the kit can hold both of its sides. */
export const requiresAcceptAtDial: SkipCondition = ({ acceptsAt }) => {
  if (acceptsAt === 'dial') return undefined;
  return acceptsAt === 'session'
    ? 'a session is accepted at its opening'
    : 'an endpoint is accepted once for all connections';
};

/** Each side is notified when the other side closes. */
export const requiresConnectionPerClient: SkipCondition = ({ acceptsAt }) =>
  acceptsAt === 'endpoint' ? 'an endpoint outlives the connections to it' : undefined;

/** A session is opened after the dial. */
export const requiresSession: SkipCondition = ({ acceptsAt }) =>
  acceptsAt === 'session' ? undefined : 'no session is opened after the dial';

/** One connection serves all clients. */
export const requiresEndpoint: SkipCondition = ({ acceptsAt }) =>
  acceptsAt === 'endpoint' ? undefined : 'each connection has its own served side';

/** The served side may stop without the dialling side noticing before its next request. */
export const requiresAcceptAfterDial: SkipCondition = ({ acceptsAt }) =>
  acceptsAt === 'dial' ? 'a connection is accepted when it is dialled' : undefined;

/** A lane ends with its HTTP exchange. */
export const requiresLaneEnd: SkipCondition = ({ acceptsAt }) =>
  acceptsAt === 'session' ? 'a session outlives the exchanges of its requests' : undefined;

/** A lane that was cut is not resumed. */
export const requiresNoLaneResumption: SkipCondition = ({ resumesLanes }) =>
  resumesLanes ? 'a lane that was cut is resumed' : undefined;

/** A lane that was cut is resumed. */
export const requiresLaneResumption: SkipCondition = ({ resumesLanes }) =>
  resumesLanes ? undefined : 'a lane that was cut is not resumed';

/** The transport dials again. */
export const requiresRedial: SkipCondition = (context) =>
  context.traits.redialable ? undefined : 'traits.redialable is false';

/** All messages share one lane. */
export const requiresSharedLane: SkipCondition = (context) =>
  context.traits.lanes === 'shared' ? undefined : "traits.lanes is 'per-request'";

/** Every request has its own lane. */
export const requiresLanePerRequest: SkipCondition = (context) =>
  context.traits.lanes === 'per-request' ? undefined : "traits.lanes is 'shared'";

/** Ids are unique in a connection. */
export const requiresConnectionIdScope: SkipCondition = (context) =>
  context.traits.idScope === 'connection' ? undefined : "traits.idScope is 'lane'";

/** Ids are unique in a lane. */
export const requiresLaneIdScope: SkipCondition = (context) =>
  context.traits.idScope === 'lane' ? undefined : "traits.idScope is 'connection'";

/** Messages carry headers. */
export const requiresHeaders: SkipCondition = ({ traits, servedTraits }) =>
  traits.carriesHeaders && servedTraits.carriesHeaders ? undefined : 'traits.carriesHeaders is false';

const provableBytes = 64 * 1024 * 1024;

/** The size limit is small enough to be reached in a test. */
export const requiresMessageLimit: SkipCondition = (context) =>
  context.traits.maxMessageBytes <= provableBytes ? undefined : 'traits.maxMessageBytes is over 64 MiB';

/** Combines conditions: a rule is skipped for the first reason that one of them returns. */
export function all(...conditions: readonly SkipCondition[]): SkipCondition {
  return (context) => {
    for (const condition of conditions) {
      const reason = condition(context);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}
