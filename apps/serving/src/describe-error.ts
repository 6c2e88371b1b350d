import { RpcError, RxmcpError, TransportError } from 'rxmcp';

/** Describes an error; part of it may be text of the peer, of any length. */
export function describeError(error: unknown): string {
  if (RpcError.is(error)) {
    const data = error.data === undefined ? '' : ` ${JSON.stringify(error.data)}`;
    return `the server answered error ${error.code}: ${error.message}${data}`;
  }
  if (TransportError.is(error)) return `${error.code}: ${error.message}${rootOf(error)}`;
  if (RxmcpError.is(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** The root cause of a failure, if it has no code of its own. */
function rootOf(error: TransportError): string {
  let root: unknown = error;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  if (root === error || !(root instanceof Error) || 'code' in root) return '';
  return error.message.includes(root.message) ? '' : ` (${root.message})`;
}
