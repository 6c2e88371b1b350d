import { TransportError, type TransportErrorOptions } from '@rxmcp/transport';
import { networkCause, retryAfter } from '@rxmcp/transport/internal';

/** What a status that is no success means for the message that was posted. */
export function postFailure(response: Response): TransportError {
  const { status } = response;
  if (status === 404) {
    // It certainly did nothing with the message.
    return new TransportError('SESSION_EXPIRED', 'the server no longer knows the session', {
      outcome: 'not-sent',
      details: { status },
    });
  }
  if (status < 500) return rejected(response, 'answered');
  return new TransportError('CONNECTION_LOST', `the server failed to accept a message: ${status}`, {
    ...later(response),
    outcome: 'unknown',
  });
}

/** What a response to a request for the stream means that is no stream. */
export function dialFailure(response: Response, host: string): TransportError {
  const { status } = response;
  if (status === 401 || status === 403) return rejected(response, 'not-sent');
  const said = status === 200 ? 'no event stream' : String(status);
  return new TransportError('DIAL_FAILED', `the server at "${host}" answered with ${said}`, {
    ...later(response),
  });
}

function rejected(response: Response, outcome: 'answered' | 'not-sent'): TransportError {
  const { status } = response;
  if (status !== 401 && status !== 403) {
    const message = `the server rejected a message with status ${status}`;
    return new TransportError('REJECTED', message, { ...later(response), outcome });
  }
  const challenge = response.headers.get('www-authenticate') ?? undefined;
  const message = status === 401 ? 'the server requires authentication' : 'the server forbids this caller';
  const details = challenge === undefined ? { status } : { status, challenge };
  return new TransportError('UNAUTHORIZED', message, { outcome, details });
}

/** What the server says of coming back. */
function later({ status, headers }: Response): TransportErrorOptions {
  const retryAfterMs = status === 503 || status === 429 ? retryAfter(headers.get('retry-after')) : undefined;
  return retryAfterMs === undefined
    ? { details: { status } }
    : { retryable: true, details: { status, retryAfterMs } };
}

/** What a post means that `fetch` rejected. */
export function postInterrupted(cause: unknown): TransportError {
  const { code, isUnsent } = networkCause(cause);
  const options = { cause, details: { code } };
  return isUnsent
    ? new TransportError('SEND_FAILED', `the server cannot be reached: ${code}`, {
        ...options,
        outcome: 'not-sent',
      })
    : new TransportError(
        'CONNECTION_LOST',
        `sending a message was cut: ${code ?? 'no reason given'}`,
        options,
      );
}
