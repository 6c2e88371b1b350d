import { TransportError } from '@rxmcp/transport';
import { postCut, postFailure } from './answers.js';
import type { SseOptions } from './options.js';
import { request } from './requests.js';

const headers = { 'content-type': 'application/json', accept: 'application/json, text/plain' };

/** Posts one message. Rejects with a TransportError that says how far it came. */
export async function post(
  endpoint: URL,
  text: string,
  options: SseOptions,
  signal: AbortSignal,
): Promise<void> {
  let response: Response;
  try {
    response = await request(endpoint, { method: 'POST', headers, body: text, signal }, options);
  } catch (cause) {
    // What is in the way of this message says nothing about the connection.
    if (TransportError.is(cause))
      throw new TransportError('SEND_FAILED', cause.message, { cause, outcome: 'not-sent' });
    throw postCut(cause);
  }
  if (response.headers.get('content-length') !== '0') void drop(response);
  if (!response.ok) throw postFailure(response);
}

const maxDropped = 64 * 1024;

/** Reads to the end what nobody wants, so that the connection can be used again; not where that is much. */
async function drop({ body }: Response): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let bytes = 0; bytes < maxDropped;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
    }
    await reader.cancel();
  } catch {
    // Cut: nobody wanted it anyway.
  }
}
