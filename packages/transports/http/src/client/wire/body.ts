import { WireError } from '@rxmcp/jsonrpc';
import { setUnrefTimeout } from '@rxmcp/transport/internal';
import { onAbort } from '../time/until-aborted.js';

const maxLeftBytes = 64 * 1024;

/** Reads what comes of a body within `ms`, where the status has said all that counts. Gives nothing where it cannot be read. */
export async function readRemainder(response: Response, ms: number, signal: AbortSignal): Promise<string> {
  const bound = new AbortController();
  const stop = (): void => bound.abort();
  const alarm = setUnrefTimeout(stop, ms);
  const forget = onAbort(signal, stop);
  try {
    return await readText(response, maxLeftBytes, bound.signal);
  } catch {
    return '';
  } finally {
    clearTimeout(alarm);
    forget();
  }
}

/**
 * Reads a body as text. Rejects with a {@link WireError}, OVERFLOW before it is read on where it is larger than `maxBytes`,
 * PARSE_ERROR where it is not UTF-8, and with what the platform says where it is cut.
 */
export async function readText(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const { body } = response;
  if (body === null) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = body.getReader();
  const give = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', give);
  let text = '';
  let bytes = 0;
  try {
    if (Number(response.headers.get('content-length') ?? 0) > maxBytes) throw overflow(maxBytes);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoded(() => decoder.decode());
      bytes += value.length;
      if (bytes > maxBytes) throw overflow(maxBytes);
      text += decoded(() => decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    give();
    throw error;
  } finally {
    signal.removeEventListener('abort', give);
  }
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new WireError('PARSE_ERROR', 'the answer is not valid UTF-8', { cause });
  }
}

function overflow(maxBytes: number): WireError {
  return new WireError('OVERFLOW', `the answer is larger than ${maxBytes} bytes`);
}
