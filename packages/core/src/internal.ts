// For the packages of this house; no semver. What applications use is in index.ts.
export { askOf, mayBeLeft, requireOf } from './ask.js';
export type { Ask } from './ask.js';
export { attached, link } from './attach.js';
export { brandError, errorKind, houseVersion } from './brand.js';
export { insideOf } from './inside-of.js';
export { refuseThoseOf } from './interceptors/side.js';
export { isObject } from './is-object.js';
export { isThenable } from './is-thenable.js';
export { needsOf } from './capability-needs.js';
export { itemKind, logLevels } from './items.js';
export { markedParams } from './marked-params.js';
export type { MirroredParam } from './mirrored.js';
export { defineAnsweredOffer as defineOffer } from './client/answer-offers.js';
export { defineOffer as defineServerOffer, Prepared } from './offer.js';
export type { ListName, OfferHost } from './offer.js';
export type { CallSpec, RemoteLink, Topic } from './remote.js';
export { issuesText } from './standard-schema.js';
export { passOn } from './pass-on.js';
export { settle, settling } from './settle.js';
export { refusedCall } from './streams/call.js';
export { following, recovering, shared } from './streams/follow.js';
export type { Settlement, Settling } from './settle.js';
export { listPages } from './list-pages.js';
export { later } from './later.js';
export { heldTimer, timer } from './peer/clock.js';
export { isExposed, timerMs } from '@rxmcp/transport';
export { liveSet } from './live-set.js';
export type { LiveSet } from './live-set.js';
export { checkName, quoted, shown } from './names.js';
export { reference } from './eras/failure.js';
export { faultOf } from './fault-of.js';
export type { FaultingContext } from './fault-of.js';
export { isPending, mapOutput } from './map-output.js';
export {
  checkSchema,
  isStandardSchema,
  jsonCopy,
  jsonSchemaOf,
  problems,
  refuseShape,
} from './told-schema.js';
export { namedOffer } from './named-offer.js';
export { resultOf } from './result-of.js';
export { refuseAnnotations } from './annotations.js';
export { blockProblem, keptBlock, keptBlocks } from './content.js';
export { fromBase64, isBase64, toBase64 } from './base64.js';
export { isMediaType } from './media-type.js';
export { leftOutOf } from './left-out.js';
export { isSize, refuseSize } from './size.js';
export { entryChecks, isString, wellAnnotated, wellTyped } from './well-typed.js';
export type { LeftOut, MemberChecks } from './well-typed.js';
