import type { ErrorObject, RequestId, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { INVALID_REQUEST } from '@rxmcp/jsonrpc';
import type { ReceiveInfo } from '@rxmcp/transport';
import { describeValue } from '../base/message-text.js';
import type { ServingConnection } from '../eras/served.js';

/** Responds to a message that has no exchange. */
export function rejectMessage(
  { legacy, writer }: ServingConnection,
  id: RequestId | undefined,
  error: ErrorObject,
  receiveInfo: ReceiveInfo | undefined,
): void {
  const lane = receiveInfo?.lane;
  const named = id !== undefined ? { id } : legacy?.nullIds === true ? { id: null } : {};
  void writer.send(
    { jsonrpc: '2.0', ...named, error },
    { rejection: 'malformed', ...(lane === undefined ? {} : { lane }) },
  );
}

/** Rejects a second request with an id that is in flight. */
export function rejectDuplicate(
  serving: ServingConnection,
  request: JsonRpcRequest,
  receiveInfo: ReceiveInfo | undefined,
): void {
  const message = `the id ${describeValue(request.id)} is in flight already`;
  serving.fault({ code: 'DUPLICATE_ID', message });
  // On a shared pipe an error with this id would end the first request at the caller.
  const id = serving.traits.lanes === 'per-request' ? request.id : undefined;
  rejectMessage(serving, id, { code: INVALID_REQUEST, message }, receiveInfo);
}
