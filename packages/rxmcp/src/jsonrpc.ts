export {
  EncodedMessage,
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  LineReader,
  METHOD_NOT_FOUND,
  MISSING_REQUIRED_CLIENT_CAPABILITY,
  OVERLOADED,
  PARSE_ERROR,
  UNSUPPORTED_PROTOCOL_VERSION,
  WireError,
  decode,
  defaultJsonLimits,
  encode,
  messageKind,
} from '@rxmcp/jsonrpc';
export type * from '@rxmcp/jsonrpc';
