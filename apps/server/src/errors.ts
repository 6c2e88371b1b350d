import { RxmcpError, RpcError } from 'rxmcp';

/** Error codes of this server, outside of the ranges that JSON-RPC and the protocol keep for themselves. */
export const codes = {
  /** A file or directory is larger than what one response may hold. */
  tooLarge: -31_101,
  /** A prompt needs git, but git is not installed, or the folder is not in a work tree. */
  noGit: -31_102,
  /** There is nothing staged, changed or committed to write about. */
  noChanges: -31_103,
} as const;

/** The error for what is too large; `data` says what would be small enough. */
export function tooLarge(message: string, data: object): RpcError {
  return new RpcError(codes.tooLarge, message, { code: 'TOO_LARGE', ...data });
}

/** The error for a file that does not exist or is not served; it does not reveal which. */
export function notShown(path: string): RxmcpError {
  return new RxmcpError('RESOURCE_NOT_FOUND', `no file ${JSON.stringify(path)} is served`);
}

/** The error for a path that leads out of the folder. */
export function rejected(path: string, cause?: unknown): RxmcpError {
  const message = `${JSON.stringify(path)} is rejected: it does not lead to a file of the served folder`;
  return new RxmcpError('INVALID_PARAMS', message, { cause });
}
