import type { IncomingMessage } from 'node:http';
import { TransportError } from '@rxmcp/transport';
import { shownUrl } from './opening.js';

const maxRetryAfterMs = 60_000;

/** The error of a dial that was answered with an HTTP status instead of a socket. Redirects are not followed. */
export function refusedWith(url: URL, response: IncomingMessage): TransportError {
  const { statusCode: status = 0, headers } = response;
  const message = `${shownUrl(url)} refused the connection with status ${String(status)}.`;
  if (status === 401 || status === 403) {
    const challenge = headers['www-authenticate'];
    const details = challenge === undefined ? { status } : { status, challenge };
    return new TransportError('UNAUTHORIZED', message, { outcome: 'not-sent', details });
  }
  const retryAfterMs = status === 503 || status === 429 ? delayOf(headers['retry-after']) : undefined;
  const details = retryAfterMs === undefined ? { status } : { status, retryAfterMs };
  const retryable = retryAfterMs !== undefined;
  return new TransportError('DIAL_FAILED', message, { outcome: 'not-sent', retryable, details });
}

/** `Retry-After` in milliseconds: seconds or a date. RFC 9110, section 10.2.3. */
function delayOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxRetryAfterMs);
}
