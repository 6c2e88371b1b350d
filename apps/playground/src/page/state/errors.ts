import { RpcError, RxmcpError, TransportError } from 'rxmcp';

/** Describes an error: its code, its cause, and whether the request may have run. Part of it may be text of the server. */
export function describeError(error: unknown): string {
  if (RpcError.is(error)) {
    const data = error.data === undefined ? '' : ` ${JSON.stringify(error.data)}`;
    return `The server answered error ${error.code}: ${error.message}${data}`;
  }
  if (TransportError.is(error) || RxmcpError.is(error)) {
    const doubt = error.outcome === 'unknown' ? '. The request may have run.' : '';
    return `${error.code}: ${error.message}${doubt}`;
  }
  return error instanceof Error ? error.message : String(error);
}
