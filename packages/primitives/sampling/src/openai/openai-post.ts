import { isObject, refTimer } from '@rxmcp/core/internal';
import { ModelError } from '../messages/model-error.js';
import { isEventStream, streamedResponse } from './openai-stream.js';

/** Where and how a request is sent to a chat endpoint. */
export interface Endpoint {
  readonly url: URL;
  readonly apiKey: string | undefined;
  readonly totalTimeoutMs: number;
  readonly maxResponseBytes: number;
  readonly fetch: typeof globalThis.fetch;
}

/** What one request needs in addition. */
export interface Posting {
  readonly signal: AbortSignal | undefined;
  /** Receives each piece of a text while it arrives. */
  readonly onText: ((text: string) => void) | undefined;
}

/** Sends a request and returns the response of the endpoint, complete. Rejects with ModelError, or with the reason of the signal. */
export async function post(endpoint: Endpoint, body: string, { signal, onText }: Posting): Promise<unknown> {
  const { url, apiKey, totalTimeoutMs, fetch } = endpoint;
  const controller = new AbortController();
  const late = refTimer(
    () =>
      controller.abort(
        new ModelError('MODEL_TIMEOUT', `"${url.host}" did not answer within ${totalTimeoutMs} ms`),
      ),
    totalTimeoutMs,
  );
  const withdrawn = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) withdrawn();
  else signal?.addEventListener('abort', withdrawn, { once: true });
  let problem = `"${url.host}" could not be reached`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: onText === undefined ? 'application/json' : 'text/event-stream, application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body,
      redirect: 'error',
      signal: controller.signal,
    });
    problem = `the response of "${url.host}" broke off`;
    const texts = textsOf(response, endpoint.maxResponseBytes);
    if (!response.ok) throw rejected(response, await joined(texts), apiKey);
    if (onText !== undefined && isEventStream(response))
      return await streamedResponse(texts, onText, (said) => withoutKey(said, apiKey));
    return parsed(await joined(texts));
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof ModelError) throw error;
    throw new ModelError('MODEL_UNREACHABLE', problem, { cause: error });
  } finally {
    clearTimeout(late);
    signal?.removeEventListener('abort', withdrawn);
  }
}

async function* textsOf(response: Response, maxBytes: number): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      bytes += step.value.byteLength;
      if (bytes > maxBytes)
        throw new ModelError('MODEL_INVALID_RESPONSE', `the response is larger than ${maxBytes} bytes`, {
          status: response.status,
        });
      yield decoder.decode(step.value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    // After the last byte this does nothing.
    await reader.cancel().catch(() => undefined);
  }
}

async function joined(texts: AsyncIterable<string>): Promise<string> {
  let all = '';
  for await (const text of texts) all += text;
  return all;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ModelError('MODEL_INVALID_RESPONSE', 'the response is not valid JSON', { cause });
  }
}

function rejected({ status, headers }: Response, text: string, apiKey: string | undefined): ModelError {
  let said: unknown;
  try {
    const body: unknown = JSON.parse(text);
    said = isObject(body) && isObject(body.error) ? body.error.message : undefined;
  } catch {
    // The error page of a proxy does not belong in a log.
  }
  const detail = typeof said === 'string' ? `: ${withoutKey(said, apiKey)}` : '';
  const retryAfterMs = retryAfter(headers.get('retry-after'));
  return new ModelError('MODEL_HTTP_ERROR', `the model's endpoint answered ${status}${detail}`, {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Text of an endpoint for a message. Some repeat a rejected key: it is removed before the text is cut, or a part of it would remain. */
function withoutKey(said: string, apiKey: string | undefined): string {
  return (apiKey ? said.replaceAll(apiKey, '***') : said).slice(0, 300);
}

/** The wait that a Retry-After header asks for: seconds or a date (RFC 9110, 10.2.3). */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Math.ceil(Number(value) * 1_000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
