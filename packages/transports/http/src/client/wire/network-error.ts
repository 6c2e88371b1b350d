import { TransportError } from '@rxmcp/transport';
import { networkCause } from '@rxmcp/transport/internal';

/** What a request that got no response failed with. Browsers do not say why, so that there everything may have been sent. */
export function networkFailure(server: string, cause: unknown): TransportError {
  const { code, isUnsent } = networkCause(cause);
  const why = code === undefined ? '' : ` (${code})`;
  return isUnsent
    ? new TransportError('DIAL_FAILED', `${server} could not be reached${why}`, {
        cause,
        retryable: true,
      })
    : lost(`the exchange with ${server} was cut${why}`, cause);
}

/** The error of a loss after which it is unknown whether the request ran. */
export function lost(
  message: string,
  cause?: unknown,
  details?: Readonly<Record<string, unknown>>,
): TransportError {
  return new TransportError('CONNECTION_LOST', message, {
    cause,
    outcome: 'unknown',
    retryable: true,
    ...(details === undefined ? {} : { details }),
  });
}
