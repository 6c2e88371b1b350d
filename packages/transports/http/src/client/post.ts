import { TransportError } from '@rxmcp/transport';
import { readRemainder, setUnrefTimeout } from '@rxmcp/transport/internal';
import type { ClientContext } from './delivery.js';
import { sessionLost } from './stream-resumption.js';
import { lost } from './wire/network-error.js';
import { discard } from './wire/link.js';
import { mediaType, errorFromResponse } from './wire/response-error.js';

/**
 * Sends a message without a response: a notification, or a response of this side. Resolves once the server has accepted it, with a
 * promise of the end of the HTTP reply; rejects with a `TransportError`.
 */
export async function post(
  host: ClientContext,
  text: string,
  headers: Readonly<Record<string, string>>,
  controller: AbortController,
): Promise<{ readonly left: Promise<unknown> }> {
  const { link, timing } = host;
  const { signal } = controller;
  let late = false;
  const alarm = setUnrefTimeout(() => {
    late = true;
    controller.abort();
  }, timing.postTimeoutMs);
  let response: Response;
  try {
    response = await link.post(text, headers, signal);
  } catch (error) {
    const left = !TransportError.is(error) || error.outcome !== 'not-sent';
    throw late && left ? lost(`${link.server} did not accept a message in time`, error) : error;
  } finally {
    clearTimeout(alarm);
  }
  // Read to the end without waiting, so that the socket can be reused.
  if (response.ok && mediaType(response) !== 'text/event-stream')
    return { left: readRemainder(response, timing.remainderTimeoutMs, signal) };
  discard(response);
  if (response.ok) return { left: Promise.resolve() };
  if (response.status !== 404 || !('mcp-session-id' in headers))
    throw errorFromResponse(link.server, response);
  const error = sessionLost(link.server);
  host.end(error);
  throw error;
}
