/** The text is not valid JSON. JSON-RPC 2.0 section 5.1. */
export const PARSE_ERROR = -32700;
/** The JSON is not an acceptable message. JSON-RPC 2.0 section 5.1. */
export const INVALID_REQUEST = -32600;
/** Nobody here serves the method. JSON-RPC 2.0 section 5.1. */
export const METHOD_NOT_FOUND = -32601;
/** The parameters do not fit the method, or name something unknown. JSON-RPC 2.0 section 5.1. */
export const INVALID_PARAMS = -32602;
/** The receiver failed. JSON-RPC 2.0 section 5.1. */
export const INTERNAL_ERROR = -32603;
/** What the carrier mirrors from a message disagrees with the message. MCP 2026-07-28. */
export const HEADER_MISMATCH = -32020;
/** The request needs a capability that the other side did not declare. MCP 2026-07-28. */
export const MISSING_REQUIRED_CLIENT_CAPABILITY = -32021;
/** The protocol version of the request is not spoken here. MCP 2026-07-28. */
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;
/** Too much is in flight; worth another try later. Our own code, hence outside the reserved range. */
export const OVERLOADED = -31001;

/** Tells whether JSON-RPC or MCP own the code, -32768 to -32000: an application may not invent one in there. */
export function isReservedErrorCode(code: number): boolean {
  return code >= -32768 && code <= -32000;
}
