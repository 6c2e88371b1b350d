export type {
  ErrorObject,
  JsonObject,
  JsonRpcErrorResponse,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonRpcResultResponse,
  RequestId,
} from './messages.js';
export { messageKind, type MessageKind } from './message-kind.js';
export {
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_REQUIRED_CLIENT_CAPABILITY,
  OVERLOADED,
  PARSE_ERROR,
  UNSUPPORTED_PROTOCOL_VERSION,
} from './error-codes.js';
export { decode } from './decode.js';
export { EncodedMessage, encode } from './encoded-message.js';
export { defaultJsonLimits, type JsonLimits } from './json-shape.js';
export { encodeFrame, FrameReader, type FrameReaderOptions } from './frame-reader.js';
export { LineReader, type LineReaderOptions } from './line-reader.js';
export { WireError, type WireErrorCode } from './wire-error.js';
