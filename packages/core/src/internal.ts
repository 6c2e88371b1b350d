// For the packages of this house; no semver. What applications use is in index.ts.
export { askOf, mayBeLeft, requireOf } from './contract/ask.js';
export type { Ask } from './contract/ask.js';
export { attached, link } from './contract/remote-link.js';
export { brandError, errorKind, houseVersion } from './base/brand.js';
export { insideOf } from './base/brand.js';
export { refuseThoseOf } from './interceptors/interceptor-marks.js';
export { isObject } from './base/checks.js';
export { isThenable } from './base/checks.js';
export { needsOf } from './contract/capability-needs.js';
export { itemKind, logLevels } from './contract/items.js';
export { markedParams } from './schema/mirrored-params.js';
export type { MirroredParam } from './contract/offer.js';
export { defineAnsweredOffer as defineOffer } from './client/answer-offers.js';
export { defineOffer as defineServerOffer, Prepared } from './contract/offer.js';
export type { ListName, OfferHost } from './contract/offer.js';
export type { CallSpec, RemoteLink, Topic } from './contract/remote-link.js';
export { issuesText } from './contract/standard-schema.js';
export { passOn } from './output/map-output.js';
export { settle, settling } from './output/settle.js';
export { refusedCall } from './streams/call.js';
export { following, recovering, shared } from './streams/follow.js';
export type { Settlement, Settling } from './output/settle.js';
export { listPages } from './offers/list-pages.js';
export { later } from './output/map-output.js';
export { heldTimer, timer } from './base/clock.js';
export { isExposed, timerMs } from '@rxmcp/transport';
export { liveSet } from './offers/live-set.js';
export type { LiveSet } from './offers/live-set.js';
export { checkName, quoted, shown } from './base/names.js';
export { reference } from './eras/failure.js';
export { faultOf } from './contract/faults.js';
export type { FaultingContext } from './contract/faults.js';
export { isPending, mapOutput } from './output/map-output.js';
export {
  checkSchema,
  isStandardSchema,
  jsonCopy,
  jsonSchemaOf,
  problems,
  refuseShape,
} from './schema/json-schema.js';
export { namedOffer } from './offers/named-offer.js';
export { resultOf } from './output/result-of.js';
export { refuseAnnotations } from './content/annotations.js';
export { blockProblem, keptBlock, keptBlocks } from './content/blocks.js';
export { fromBase64, isBase64, toBase64 } from './base/base64.js';
export { isMediaType } from './content/member-checks.js';
export { leftOutOf } from './content/member-checks.js';
export { isSize, refuseSize } from './content/member-checks.js';
export { entryChecks, isString, wellTyped } from './content/member-checks.js';
export { wellAnnotated } from './content/annotations.js';
export type { LeftOut, MemberChecks } from './content/member-checks.js';
