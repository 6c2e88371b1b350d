/** For the packages of this project only: may change in any release. */
export { ByteStore } from './byte-store.js';
export { cloneJson } from './clone-json.js';
export { META_KEYS, detectEra, isBatch, namesVersion } from './detect-era.js';
export { isReservedErrorCode } from './error-codes.js';
export { invalidReason } from './message-kind.js';
export { withRequestId } from './response-id.js';
export { encodeSseEvent } from './sse-event.js';
export { SseReader, type ParsedSseEvent } from './sse-reader.js';
export { decodeHeaderValue, targetName, targetParams } from './target-params.js';
