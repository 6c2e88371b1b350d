export type {
  ErrorBody,
  ErrorResponse,
  Id,
  JsonObject,
  Message,
  Notification,
  Request,
  Response,
  ResultResponse,
} from './messages.js';
export type { MessageKind } from './kind.js';
export { invalidReason, kindOf } from './kind.js';
export {
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isReservedCode,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  OVERLOADED,
  PARSE_ERROR,
  UNSUPPORTED_VERSION,
} from './codes.js';
export { META } from './claim.js';
export type { Claim } from './claim.js';
export { claimOf, isBatch } from './claim.js';
export { namedBy, nameOf } from './named.js';
export { unwrapped } from './named.js';
export { Encoded, encode } from './encoded.js';
export type { JsonLimits } from './shape.js';
export { defaultLimits } from './shape.js';
export type { WireErrorCode, WireErrorOptions } from './wire-error.js';
export { WireError } from './wire-error.js';
export { decode } from './decode.js';
export { answering } from './answered-id.js';
export type { LineReaderOptions } from './lines.js';
export { LineReader } from './lines.js';
export { cloneJson } from './clone.js';
export type { StreamEvent } from './events.js';
export { eventText } from './events.js';
export type { EventReaderOptions, ReadEvent } from './event-reader.js';
export { EventReader } from './event-reader.js';
