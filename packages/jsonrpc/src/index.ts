export type {
  ErrorObject,
  JsonRpcErrorResponse,
  RequestId,
  JsonObject,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonRpcResultResponse,
} from './messages.js';
export type { MessageKind } from './message-kind.js';
export { invalidReason, messageKind } from './message-kind.js';
export {
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isReservedErrorCode,
  METHOD_NOT_FOUND,
  MISSING_REQUIRED_CLIENT_CAPABILITY,
  OVERLOADED,
  PARSE_ERROR,
  UNSUPPORTED_PROTOCOL_VERSION,
} from './error-codes.js';
export { META_KEYS } from './detect-era.js';
export type { DetectedEra } from './detect-era.js';
export { detectEra, isBatch } from './detect-era.js';
export { targetParams, targetName } from './target-params.js';
export { decodeHeaderValue } from './target-params.js';
export { EncodedMessage, encode } from './encoded-message.js';
export type { JsonLimits } from './json-shape.js';
export { defaultJsonLimits } from './json-shape.js';
export type { WireErrorCode, WireErrorOptions } from './wire-error.js';
export { WireError } from './wire-error.js';
export { decode } from './decode.js';
export { withRequestId } from './response-id.js';
export type { LineReaderOptions } from './line-reader.js';
export { LineReader } from './line-reader.js';
export { cloneJson } from './clone-json.js';
export type { SseEvent } from './sse-event.js';
export { encodeSseEvent } from './sse-event.js';
export type { SseReaderOptions, ParsedSseEvent } from './sse-reader.js';
export { SseReader } from './sse-reader.js';
