// For the packages of this house; no semver. What applications use is in index.ts.
export { askOf, mayBeLeft, requireOf } from './ask.js';
export type { Ask } from './ask.js';
export { attached, link } from './attach.js';
export { brandError, errorKind, houseVersion } from './brand.js';
export { insideOf } from './inside-of.js';
export { isObject } from './is-object.js';
export { isThenable } from './is-thenable.js';
export { needsOf } from './capability-needs.js';
export { itemKind, logLevels } from './items.js';
export { markedParams } from './marked-params.js';
export type { MirroredParam } from './mirrored.js';
export { defineOffer, Prepared } from './offer.js';
export type { ListName, OfferHost } from './offer.js';
export type { CallSpec, RemoteLink, Topic } from './remote.js';
export { issuesText } from './standard-schema.js';
export { settle } from './settle.js';
export { refusedCall } from './streams/call.js';
export type { Settlement } from './settle.js';
export { listPages } from './list-pages.js';
export { later } from './later.js';
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
export { entryChecks, isString, wellTyped } from './well-typed.js';
export type { MemberChecks } from './well-typed.js';
// What a bridge is made of: the parts below the server and the remote.
export { withoutPush } from './capabilities.js';
export type { Claim, ServedEra } from './eras/era.js';
export { hasBatches } from './eras/legacy/methods.js';
export { metaOf, namesVersion, tokenOf } from './eras/meta.js';
export { refusals } from './eras/modern/codec.js';
export { checkHead, checkParams, envelope } from './eras/modern/mirror.js';
export { legacyVersions, modernVersions } from './eras/versions.js';
export type { CallHandler, PendingCall } from './peer/calls.js';
export { Exchange } from './peer/exchange.js';
export type { ExchangeHost } from './peer/exchange.js';
export { InFlight } from './peer/inflight.js';
export { Peer } from './peer/peer.js';
export type { PeerHost } from './peer/peer.js';
export { notification } from './peer/writer.js';
export type { Writer } from './peer/writer.js';
export { Notices } from './server/notices.js';
