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
} from './messages/messages.js';
export { messageKind, type MessageKind } from './messages/message-kind.js';
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
} from './messages/error-codes.js';
export { decode } from './encoding/decode.js';
export { EncodedMessage, encode } from './encoding/encoded-message.js';
export { defaultJsonLimits, type JsonLimits } from './json/json-shape.js';
export { encodeFrame, FrameReader, type FrameReaderOptions } from './framing/frame-reader.js';
export { LineReader, type LineReaderOptions } from './framing/line-reader.js';
export { WireError, type WireErrorCode } from './messages/wire-error.js';
