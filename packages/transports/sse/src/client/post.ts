import { notSentError, TransportError } from '@rxmcp/transport';
import { readRemainder } from '@rxmcp/transport/internal';
import { postInterrupted, postFailure } from './response-errors.js';
import type { SseOptions } from './options.js';
import { request } from './requests.js';

const headers = { 'content-type': 'application/json', accept: 'application/json, text/plain' };
const remainderTimeoutMs = 1_000;

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
  else void readRemainder(response, remainderTimeoutMs, signal).then(over, over);
  if (!response.ok) throw postFailure(response);
}
