/** The text is not valid JSON. JSON-RPC 2.0 section 5.1. */
export const PARSE_ERROR = -32700;
/** The JSON is not a valid message. JSON-RPC 2.0 section 5.1. */
export const INVALID_REQUEST = -32600;
/** The receiver does not implement the method. JSON-RPC 2.0 section 5.1. */
export const METHOD_NOT_FOUND = -32601;
/** The parameters do not match the method, or name something unknown. JSON-RPC 2.0 section 5.1. */
export const INVALID_PARAMS = -32602;
/** The receiver failed. JSON-RPC 2.0 section 5.1. */
export const INTERNAL_ERROR = -32603;
/** The headers of a request do not match its body. MCP 2026-07-28. */
export const HEADER_MISMATCH = -32020;
/** The request needs a capability that the other side did not declare. MCP 2026-07-28. */
export const MISSING_REQUIRED_CLIENT_CAPABILITY = -32021;
/** The receiver does not support the protocol version of the request. MCP 2026-07-28. */
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;
/** Too many requests are in flight: try again later. A code of rxmcp, hence outside the reserved range. */
export const OVERLOADED = -31001;

/** Returns whether a code is reserved for JSON-RPC and MCP, -32768 to -32000: an application must not define codes in it. */
export function isReservedErrorCode(code: number): boolean {
  return code >= -32768 && code <= -32000;
}
