/** For the packages of this project only: may change in any release. Browsers load it. */
export { copyAsJson } from './channel/channel.js';
export { IncomingMessages, type IncomingMessagesOptions } from './channel/incoming-messages.js';
export { type AsyncScope, captureAsyncScope } from './base/async-scope.js';
export { identityOf } from './credentials/caller-identity.js';
export { CredentialExpiry, runningCallsMs } from './credentials/credential-expiry.js';
export { wireErrorToFault } from './contract/error.js';
export { defaultFetch } from './fetch/default-fetch.js';
export { redirectStatuses, redirectTarget } from './fetch/redirects.js';
export {
  findExposedCredential,
  hasCredentials,
  isUnencryptedRemote,
} from './credentials/exposed-credentials.js';
export { scopeChallenge } from './guard/scope-challenge.js';
export { addressOf } from './guard/client-address.js';
export { ChunkBuffer } from './guard/chunk-buffer.js';
export {
  bare,
  busy,
  complain,
  eventStream,
  interrupted,
  json,
  reject,
  type Complaint,
  rejectBody,
  noMemory,
} from './http/responses.js';
export type {
  BodyLimits,
  BodyProblem,
  BodyTaker,
  ExchangeOwner,
  Headers,
  HttpExchange,
} from './http/exchange.js';
export { isJson, isPlain, takesBoth, takesEvents } from './http/media.js';
export { unreadOutputOf, watchUnreadResponse } from './http/unread-response.js';
export { alikeServerOptions, knownGuardOptions } from './guard/server-options.js';
export { customHeaders, describeEndpoint } from './http/custom-headers.js';
export { networkCause } from './http/network-cause.js';
export { chargeArrived, readChunks, readRemainder, readText } from './http/read-response.js';
export { countEvent, readPieces, readTime } from './http/read-turns.js';
export { retryAfter } from './http/retry-after.js';
export { WebExchange } from './http/web-exchange.js';
export { isLoopbackHost, requireLoopback } from './base/loopback.js';
export { afterInput, largeChars, loopTurns } from './base/loop-turns.js';
export { EarlyMessages } from './memory/early-messages.js';
export { estimateMessageBytes, estimatePostBytes } from './memory/estimate.js';
export { connectionHolder, HeldBytes } from './memory/held-bytes.js';
export { HeldConnections, tooManyOpen } from './memory/held-connections.js';
export { listenerMemory } from './memory/listener-memory.js';
export { heapLimit, holderName } from './memory/memory-budget.js';
export { ParseTurns } from './memory/parse-turns.js';
export { shareOf, Shares } from './memory/shares.js';
export {
  clientMessages,
  type UnfinishedMessage,
  UnfinishedMessageBudget,
} from './memory/unfinished-messages.js';
export { UnreadOutput } from './memory/unread-output.js';
export { exceedsBytes, utf8Bytes } from './base/message-size.js';
export { type Defined, omitUndefined } from './base/omit-undefined.js';
export { onAbort, untilAborted } from './base/on-abort.js';
export { printable, shown } from './base/printable.js';
export { handOver, reportClosed, reportThrown } from './connection/receiving.js';
export { nearestName, rejectRenamedOptions, rejectUnknownOptions } from './base/check-options.js';
export { connectTimeout, sendAuthorized } from './credentials/send-authorized.js';
export { isResponseText, SendQueue } from './connection/send-queue.js';
export { clampTimeout, setUnrefTimeout, settleWithin } from './base/timers.js';
