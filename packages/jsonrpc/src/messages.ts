/** A JSON-RPC request id. `0` and `""` are ids like any other; `1` and `"1"` are different ids. */
export type Id = string | number;

/** A JSON object whose members have not been looked at yet. */
export type JsonObject = { [member: string]: unknown };

/** Asks the other side for one result. */
export interface Request {
  jsonrpc: '2.0';
  id: Id;
  method: string;
  params?: JsonObject;
}

/** Tells the other side something; never answered. */
export interface Notification {
  jsonrpc: '2.0';
  method: string;
  params?: JsonObject;
}

/** The good end of a request. */
export interface ResultResponse {
  jsonrpc: '2.0';
  id: Id;
  result: JsonObject;
}

/** What went wrong, as it travels on the wire. */
export interface ErrorBody {
  code: number;
  message: string;
  data?: unknown;
}

/** The bad end of a request. Without an id (`null` in older revisions) it answers something that could not be read. */
export interface ErrorResponse {
  jsonrpc: '2.0';
  id?: Id | null;
  error: ErrorBody;
}

/** Either end of a request. */
export type Response = ResultResponse | ErrorResponse;

/** One JSON-RPC 2.0 message. */
export type Message = Request | Notification | Response;

/** Longest string id, in UTF-16 units: ids are kept for as long as a request runs. */
export const maxIdLength = 256;

/** Tells whether a value may serve as a request id: a string of at most 256 characters or a safe integer. */
export function isId(value: unknown): value is Id {
  return typeof value === 'string' ? value.length <= maxIdLength : Number.isSafeInteger(value);
}
