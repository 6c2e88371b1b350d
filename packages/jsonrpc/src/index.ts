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
export type { MessageKind } from './kind.js';
export { invalidReason, messageKind } from './kind.js';
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
} from './codes.js';
export { META_KEYS } from './claim.js';
export type { DetectedEra } from './claim.js';
export { detectEra, isBatch } from './claim.js';
export { targetParams, targetName } from './named.js';
export { decodeHeaderValue } from './named.js';
export { EncodedMessage, encode } from './encoded.js';
export type { JsonLimits } from './shape.js';
export { defaultJsonLimits } from './shape.js';
export type { WireErrorCode, WireErrorOptions } from './wire-error.js';
export { WireError } from './wire-error.js';
export { decode } from './decode.js';
export { withRequestId } from './answered-id.js';
export type { LineReaderOptions } from './lines.js';
export { LineReader } from './lines.js';
export { cloneJson } from './clone.js';
export type { SseEvent } from './events.js';
export { encodeSseEvent } from './events.js';
export type { SseReaderOptions, ParsedSseEvent } from './event-reader.js';
export { SseReader } from './event-reader.js';
