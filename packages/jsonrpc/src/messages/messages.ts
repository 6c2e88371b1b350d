/** Identifies a JSON-RPC request. `0` and `""` are valid ids; `1` and `"1"` are different ids. */
export type RequestId = string | number;

/** A JSON object whose members have not been checked. */
export type JsonObject = { [member: string]: unknown };

/** Requests one result from the other side. JSON-RPC 2.0 section 4. */
export interface JsonRpcRequest {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: JsonObject;
}

/** Notifies the other side, which never answers it. JSON-RPC 2.0 section 4.1. */
export interface JsonRpcNotification {
  jsonrpc: '2.0';
  method: string;
  params?: JsonObject;
}

/** Answers a request with its result. JSON-RPC 2.0 section 5. */
export interface JsonRpcResultResponse {
  jsonrpc: '2.0';
  id: RequestId;
  result: JsonObject;
}

/** Describes an error on the wire. JSON-RPC 2.0 section 5.1. */
export interface ErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** Answers a request with an error. Without an id (`null` in older revisions) it answers a message that could not be read. */
export interface JsonRpcErrorResponse {
  jsonrpc: '2.0';
  id?: RequestId | null;
  error: ErrorObject;
}

/** Answers a request, with a result or an error. */
export type JsonRpcResponse = JsonRpcResultResponse | JsonRpcErrorResponse;

/** One JSON-RPC 2.0 message. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;

/** Longest string id, in UTF-16 code units: an id is kept while its request runs. */
export const maxRequestIdLength = 256;

/** Returns whether a value is a valid request id: a string of at most 256 characters or a safe integer. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' ? value.length <= maxRequestIdLength : Number.isSafeInteger(value);
}
