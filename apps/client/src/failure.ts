import { RxmcpError, TransportError } from 'rxmcp';
import { ConfigError } from './target/config/config-error.js';
import { describeError } from '@rxmcp/app-serving/describe-error';
import { nextStep } from '@rxmcp/app-serving/next-step';
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
