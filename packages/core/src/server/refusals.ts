import type { ErrorBody, Id, Request } from '@rxmcp/jsonrpc';
import { INVALID_REQUEST } from '@rxmcp/jsonrpc';
import type { Arrival } from '@rxmcp/transport';
import { shown } from '../base/names.js';
import type { ServedConnection } from '../eras/served.js';

/** Answers something that came to no exchange. */
export function refuse(
  { legacy, writer }: ServedConnection,
  id: Id | undefined,
  error: ErrorBody,
  arrival: Arrival | undefined,
): void {
  const lane = arrival?.lane;
  const named = id !== undefined ? { id } : legacy?.nullIds === true ? { id: null } : {};
  void writer.send(
    { jsonrpc: '2.0', ...named, error },
    { refusal: 'malformed', ...(lane === undefined ? {} : { lane }) },
  );
}

/** Refuses a second request with an id that is in flight. */
export function refuseDuplicate(
  serving: ServedConnection,
  request: Request,
  arrival: Arrival | undefined,
): void {
  const message = `the id ${shown(request.id)} is in flight already`;
  serving.fault({ code: 'DUPLICATE_ID', message });
  // On a shared pipe an error with this id would end the first request at the caller.
  const id = serving.traits.lanes === 'per-request' ? request.id : undefined;
  refuse(serving, id, { code: INVALID_REQUEST, message }, arrival);
}
