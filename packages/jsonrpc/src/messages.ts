/** A JSON-RPC request id. `0` and `""` are ids like any other; `1` and `"1"` are different ids. */
export type RequestId = string | number;

/** A JSON object whose members have not been looked at yet. */
export type JsonObject = { [member: string]: unknown };

/** Asks the other side for one result. */
export interface JsonRpcRequest {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: JsonObject;
}

/** Tells the other side something; never answered. */
export interface JsonRpcNotification {
  jsonrpc: '2.0';
  method: string;
  params?: JsonObject;
}

/** The good end of a request. */
export interface JsonRpcResultResponse {
  jsonrpc: '2.0';
  id: RequestId;
  result: JsonObject;
}

/** What went wrong, as it travels on the wire. */
export interface ErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** The bad end of a request. Without an id (`null` in older revisions) it answers something that could not be read. */
export interface JsonRpcErrorResponse {
  jsonrpc: '2.0';
  id?: RequestId | null;
  error: ErrorObject;
}

/** Either end of a request. */
export type JsonRpcResponse = JsonRpcResultResponse | JsonRpcErrorResponse;

/** One JSON-RPC 2.0 message. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;

/** Longest string id, in UTF-16 units: ids are kept for as long as a request runs. */
export const maxRequestIdLength = 256;

/** Tells whether a value may serve as a request id: a string of at most 256 characters or a safe integer. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' ? value.length <= maxRequestIdLength : Number.isSafeInteger(value);
}
