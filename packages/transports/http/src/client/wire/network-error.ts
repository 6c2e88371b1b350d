import { notSentError, TransportError } from '@rxmcp/transport';

/** System calls and error codes of Node that come before anything was sent. */
const connecting: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);
const unsent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|ERR_SSL_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*)$/;
const deepest = 5;

/** What a request that got no answer failed with. Browsers do not say why, so that there everything may have been sent. */
export function networkFailure(server: string, cause: unknown): TransportError {
  const known = causes(cause);
  const before = known.some(
    ({ code, syscall }) => unsent.test(String(code)) || connecting.has(String(syscall)),
  );
  if (known.some(({ message }) => message === 'bad port')) {
    const message = `${server} is at a port that fetch does not allow`;
    return notSentError('DIAL_FAILED', message, cause);
  }
  const reason = known.map(({ code }) => code).find((code) => typeof code === 'string');
  const why = reason === undefined ? '' : ` (${reason})`;
  return before
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

interface Coded {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
}

function causes(error: unknown): Coded[] {
  const found: Coded[] = [];
  let at = error;
  while (typeof at === 'object' && at !== null && found.length < deepest) {
    found.push(at as Coded);
    at = (at as { cause?: unknown }).cause;
  }
  return found;
}
