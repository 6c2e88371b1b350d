import { RxmcpError, RpcError, TransportError } from 'rxmcp';
import { ConfigError } from './target/config/config-error.js';
import { nextStep } from './next-step.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** Exit codes; scripts depend on them. */
export const exits = {
  good: 0,
  answered: 1,
  usage: 2,
  connection: 3,
  config: 6,
  timeout: 7,
  lost: 8,
  interrupted: 130,
} as const;

/** No connection to a server could be made. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(cause: unknown) {
    const why = describeError(cause);
    super(`cannot connect: ${why}${nextStep(why)}`, { cause });
  }
}

/** A connection was lost, for the last time. */
export class LossError extends Error {
  override readonly name = 'LossError';

  constructor(cause: unknown, losses: number) {
    const often = losses > 1 ? `${losses} times` : 'and could not be opened again';
    super(`the connection was lost ${often}: ${describeError(cause)}`, { cause });
  }
}

/** The exit code for an error. */
export function exitOf(error: unknown): number {
  if (error instanceof LossError) return exits.lost;
  if (error instanceof ConnectionError) return exits.connection;
  if (isUsage(error)) return exits.usage;
  if (error instanceof ConfigError) return exits.config;
  if (RxmcpError.is(error, 'TIMEOUT')) return exits.timeout;
  // A transport that rejects one message has answered it.
  if (TransportError.is(error)) return error.outcome === 'answered' ? exits.answered : exits.connection;
  if (RxmcpError.is(error, 'CLOSED') || RxmcpError.is(error, 'NO_COMMON_VERSION')) return exits.connection;
  return exits.answered;
}

/** Whether an error is caused by the command line. */
function isUsage(error: unknown): boolean {
  return (
    error instanceof UsageError || (RxmcpError.is(error, 'INVALID_PARAMS') && error.outcome === 'not-sent')
  );
}
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
