/** For the packages of this project only: may change in any release. */
export { ByteStore } from './framing/byte-store.js';
export { cloneJson } from './json/clone-json.js';
export { META_KEYS, detectEra, isBatch, namesVersion } from './messages/detect-era.js';
export { endOfString, nextVisible } from './json/json-scan.js';
export { isReservedErrorCode } from './messages/error-codes.js';
export { invalidReason } from './messages/message-kind.js';
export { isRequestId } from './messages/messages.js';
export { withRequestId } from './messages/response-id.js';
export { encodeSseEvent } from './framing/sse-event.js';
export { SseReader, type ParsedSseEvent } from './framing/sse-reader.js';
export { decodeHeaderValue, targetName, targetParams } from './messages/target-params.js';
