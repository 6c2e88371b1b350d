import { TransportError } from '@rxmcp/transport';
import { retryAfter } from '@rxmcp/transport/internal';
import { lost } from './network-error.js';

/** What a response with a status of failure means that responds to no request. The reason is the message of the error in it. */
export function errorFromResponse(server: string, response: Response, reason?: string): TransportError {
  const { status } = response;
  const retryAfterMs = retryAfter(response.headers.get('retry-after'));
  const when = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 401 || status === 403) {
    const challenge = response.headers.get('www-authenticate');
    const details = { status, ...(challenge === null ? {} : { challenge }) };
    const message = status === 401 ? 'requires authentication' : 'forbids the request';
    const why = reason === undefined ? '' : `: ${reason.slice(0, 200)}`;
    return new TransportError('UNAUTHORIZED', `${server} ${message} (${status})${why}`, {
      outcome: 'answered',
      details,
    });
  }
  const message = `${server} answered with status ${status}`;
  if (status >= 500) return lost(message, undefined, { status, ...when });
  return new TransportError('REJECTED', message, {
    outcome: 'answered',
    retryable: retryAfterMs !== undefined,
    details: { status, ...when },
  });
}

/** The error of a response that is neither JSON nor an event stream. */
export function unexpectedResponse(server: string, response: Response): TransportError {
  const { status } = response;
  const contentType = mediaType(response);
  if (contentType === '')
    return lost(`${server} answered with status ${status}, without a response`, undefined, { status });
  const message = `${server} answered with ${JSON.stringify(contentType.slice(0, 64))}, which is neither JSON nor an event stream`;
  return new TransportError('REJECTED', message, { outcome: 'answered', details: { status, contentType } });
}

/** The media type of a response, in lower case and without parameters. */
export function mediaType(response: Response): string {
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}
