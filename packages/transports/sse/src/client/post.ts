import { notSentError, TransportError } from '@rxmcp/transport';
import { setUnrefTimeout } from '@rxmcp/transport/internal';
import { postInterrupted, postFailure } from './response-errors.js';
import type { SseOptions } from './options.js';
import { request } from './requests.js';

const headers = { 'content-type': 'application/json', accept: 'application/json, text/plain' };

/**
 * Posts one message. Rejects with a TransportError that says how far it came. What ends it is in `underway` as long as it
 * holds a connection: one signal for all posts would gather listeners as long as the session lives.
 */
export async function post(
  endpoint: URL,
  text: string,
  options: SseOptions,
  underway: Set<AbortController>,
): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  underway.add(controller);
  const over = (): void => void underway.delete(controller);
  let response: Response;
  try {
    response = await request(endpoint, { method: 'POST', headers, body: text, signal }, options);
  } catch (cause) {
    over();
    // What is in the way of this message says nothing about the connection.
    if (TransportError.is(cause)) throw notSentError('SEND_FAILED', cause.message, cause);
    throw postInterrupted(cause);
  }
  const { body } = response;
  if (body === null || response.headers.get('content-length') === '0') over();
  else void drop(body, signal).then(over, over);
  if (!response.ok) throw postFailure(response);
}

const maxDropped = 64 * 1024;
const dropWithinMs = 1_000;

/** Reads the rest of an unused body, so that the connection can be reused; not where it is long or slow. */
async function drop(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
  const reader = body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  const alarm = setUnrefTimeout(stop, dropWithinMs);
  signal.addEventListener('abort', stop);
  try {
    for (let bytes = 0; bytes < maxDropped;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
    }
    await reader.cancel();
  } catch {
    // The body was cut; it is not used.
  } finally {
    clearTimeout(alarm);
    signal.removeEventListener('abort', stop);
  }
}
