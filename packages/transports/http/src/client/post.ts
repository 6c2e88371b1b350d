import { TransportError } from '@rxmcp/transport';
import { readText } from './wire/body.js';
import { lost } from './wire/failure.js';
import type { Host } from './host.js';
import { discard } from './wire/link.js';
import { mediaType, refusal } from './wire/refusal.js';
import { sessionLost } from './resumable.js';
import { timer } from './time/timing.js';

const maxLeftBytes = 64 * 1024;

/**
 * Sends what gets no answer: a notification, or an answer of ours. Resolves once the server has accepted it; rejects with a
 * `TransportError`.
 */
export async function post(
  host: Host,
  text: string,
  headers: Readonly<Record<string, string>>,
  controller: AbortController,
): Promise<void> {
  const { link, timing } = host;
  const { signal } = controller;
  let late = false;
  const alarm = timer(() => {
    late = true;
    controller.abort();
  }, timing.postMs);
  let response: Response;
  try {
    response = await link.request({
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      body: text,
      signal,
    });
  } catch (error) {
    clearTimeout(alarm);
    const left = !TransportError.is(error) || error.outcome !== 'not-sent';
    throw late && left ? lost(`${link.server} did not accept a message in time.`, error) : error;
  }
  if (response.ok && mediaType(response) !== 'text/event-stream') {
    // Read to its end, the socket can be used again; nobody has to wait for that.
    void readText(response, maxLeftBytes, signal)
      .catch(() => undefined)
      .then(() => clearTimeout(alarm));
    return;
  }
  clearTimeout(alarm);
  discard(response);
  if (response.ok) return;
  if (response.status !== 404 || !('mcp-session-id' in headers)) throw refusal(link.server, response);
  const error = sessionLost(link.server);
  host.end(error);
  throw error;
}
