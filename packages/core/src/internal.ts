// For the other packages of rxmcp only: not covered by semver. Applications use index.ts.
export { sendAsk, reserveAskKey, ignoreRejection, requireCapabilities } from './contract/ask.js';
export type { Ask } from './contract/ask.js';
export { CallTurns } from './peer/call-turns.js';
export type { CallTurn, ChargedCaller } from './peer/call-turns.js';
export { chargeRequest, holderOfRequest, releaseRequest, takeCharge } from './peer/memory.js';
export type { ChargedRequest } from './peer/memory.js';
export { afterInput, captureAsyncScope, shareOf, Shares } from '@rxmcp/transport/internal';
export type { AsyncScope } from '@rxmcp/transport/internal';
export { callOwners, setOwner } from './contract/call-owner.js';
export { askArguments } from './contract/ask-key.js';
export { perRemote, getRemoteLink } from './contract/remote-link.js';
export { brandError, errorKind, libraryCopy, libraryVersion } from './base/brand.js';
export { readInternals } from './base/brand.js';
export type { LibraryCopy } from './base/brand.js';
export { prefixSpellings, spellings } from './interceptors/uri-spellings.js';
export { innermost, logEvent, progressEvent } from './interceptors/intercepted-context.js';
export { rejectInterceptorsOf } from './interceptors/interceptor-marks.js';
export { isObject } from './base/checks.js';
export { noMemory } from './base/errors.js';
export { estimateBytes, memoryOf } from './base/json-size.js';
export { HeldResponses } from './client/subscriptions/held-responses.js';
export { checkUriLength, maxKeyLength, uriLengthProblem } from './base/key-length.js';
export { isThenable } from './base/checks.js';
export { capabilitiesForNeeds } from './contract/capability-needs.js';
export { reportKind, logLevels } from './contract/report-items.js';
export { findHeaderParams } from './schema/mirrored-params.js';
export type { HeaderParam } from './contract/offer.js';
export { defineAnsweredOffer as defineOffer } from './client/asks/answer-offers.js';
export { defineOffer as defineServerOffer, PreparedResult } from './contract/offer.js';
export type { ListName, MergeableOffer, OfferedItem, OfferHost } from './contract/offer.js';
export type { CallSpec, RemoteLink, Topic } from './contract/remote-link.js';
export { formatIssues } from './contract/standard-schema.js';
export { SelfSettling, settleResult } from './output/settle.js';
export { awaitableCall, awaitableEvents, callStream, failedCall, startEvents } from './streams/call.js';
export type { CallSink, Running, StartCall } from './streams/call.js';
export { following, mapped, recovering, shared } from './streams/follow.js';
export { status } from './streams/status.js';
export type { Status } from './streams/status.js';
export type { ResultSink } from './output/settle.js';
export { listPages } from './offers/list-pages.js';
export { deferResult } from './output/map-handler-result.js';
export { refTimer, timer } from './base/clock.js';
export {
  clampTimeout,
  isUnencryptedRemote,
  omitUndefined,
  rejectRenamedOptions,
  rejectUnknownOptions,
} from '@rxmcp/transport/internal';
export { liveSet } from './offers/live-set.js';
export type { LiveSet } from './offers/live-set.js';
export { checkName, quoted, describeValue, singleLine } from './base/message-text.js';
export { reportFailedHandler, reportFault } from './contract/faults.js';
export type { FaultReportingContext } from './contract/faults.js';
export { isPending, mapHandlerResult } from './output/map-handler-result.js';
export {
  assertStandardSchema,
  isStandardSchema,
  copyJsonSchema,
  toJsonSchema,
  formatProblems,
  rejectUnwrappedSchemas,
} from './schema/json-schema.js';
export { namedOffer } from './offers/named-offer.js';
export { markForwarded, markPartial, originOf } from './offers/forwarded-item.js';
export type { Forwarding, Origin } from './offers/forwarded-item.js';
export { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, OVERLOADED } from '@rxmcp/jsonrpc';
export { BRIDGED_PEER_UNAVAILABLE } from './base/error-marks.js';
export { DEADLINE_EXCEEDED } from './interceptors/timeout.js';
export { resultPromise } from './output/result-promise.js';
export { assertAnnotations } from './content/annotations.js';
export { validateContentBlock, sanitizeContentBlock, sanitizeContentBlocks } from './content/blocks.js';
export { fromBase64, isBase64, toBase64 } from './base/base64.js';
export { isMediaType } from './content/member-checks.js';
export { droppedMemberReporter } from './content/member-checks.js';
export { isSize, assertSize } from './content/member-checks.js';
export { entryChecks, omitInvalidMembers } from './content/member-checks.js';
export { omitInvalidAnnotations } from './content/annotations.js';
export type { OnMembersDropped, MemberChecks } from './content/member-checks.js';
export { clientOptionNames } from './client/client.js';
export { serverOptionNames } from './server/server.js';
