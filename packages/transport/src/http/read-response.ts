import { WireError } from '@rxmcp/jsonrpc';
import { onAbort } from '../on-abort.js';
import { setUnrefTimeout } from '../timers.js';

const maxRemainderBytes = 64 * 1024;

/** Reads a body to its end. Cancels it at an abort and when `take` throws. Rejects with what the platform says where it is cut. */
export async function readChunks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  const forget = onAbort(signal, cancel);
  if (signal.aborted) cancel();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      take(value);
    }
  } catch (error) {
    cancel();
    throw error;
  } finally {
    forget();
  }
}

/**
 * Reads a response as text. Rejects with a {@link WireError}, OVERFLOW before it is read on where it is larger than `maxBytes`,
 * PARSE_ERROR where it is not UTF-8, and with what the platform says where it is cut.
 */
export async function readText(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const { body } = response;
  if (body === null) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const tooLarge = (): WireError => new WireError('OVERFLOW', `the answer is larger than ${maxBytes} bytes`);
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    body.cancel().catch(() => undefined);
    throw tooLarge();
  }
  let text = '';
  let bytes = 0;
  const take = (chunk?: Uint8Array): void => {
    bytes += chunk?.length ?? 0;
    if (bytes > maxBytes) throw tooLarge();
    try {
      text += decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw new WireError('PARSE_ERROR', 'the answer is not valid UTF-8', { cause });
    }
  };
  await readChunks(body, signal, take);
  take();
  return text;
}

/** Reads what comes of a body within `ms`, where the status has said all that counts. Resolves with '' where it cannot be read. */
export async function readRemainder(response: Response, ms: number, signal: AbortSignal): Promise<string> {
  const bound = new AbortController();
  const stop = (): void => bound.abort();
  const alarm = setUnrefTimeout(stop, ms);
  const forget = onAbort(signal, stop);
  try {
    return await readText(response, maxRemainderBytes, bound.signal);
  } catch {
    return '';
  } finally {
    clearTimeout(alarm);
    forget();
  }
}
