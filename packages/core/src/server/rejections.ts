import type { ErrorObject, RequestId, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { INVALID_REQUEST } from '@rxmcp/jsonrpc';
import type { ReceiveInfo } from '@rxmcp/transport';
import { RxmcpError } from '../base/errors.js';
import { describeValue, quoted } from '../base/message-text.js';
import type { EraConnection } from '../eras/served.js';
import type { Exchange } from '../peer/exchange.js';

/** Responds to a message that has no exchange. */
export function rejectMessage(
  { legacy, writer }: EraConnection,
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
  connection: EraConnection,
  request: JsonRpcRequest,
  receiveInfo: ReceiveInfo | undefined,
): void {
  const message = `the id ${describeValue(request.id)} is in flight already`;
  connection.fault({ code: 'DUPLICATE_ID', message });
  // On a shared pipe an error with this id would end the first request at the caller.
  const id = connection.traits.lanes === 'per-request' ? request.id : undefined;
  rejectMessage(connection, id, { code: INVALID_REQUEST, message }, receiveInfo);
}

/** Creates the error of a request that the client cancelled. */
export function cancellation(exchange: Exchange, reason: unknown): RxmcpError {
  const why = typeof reason === 'string' ? `: ${quoted(reason)}` : '';
  return new RxmcpError('CANCELLED', `${quoted(exchange.method)} was cancelled by its caller${why}`, {
    outcome: 'unknown',
  });
}
