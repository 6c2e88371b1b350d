import { WireError } from '@rxmcp/jsonrpc';
import { ByteStore } from '@rxmcp/jsonrpc/internal';
import type { HeldBytes } from '../memory/held-bytes.js';
import { onAbort } from '../base/on-abort.js';
import { setUnrefTimeout } from '../base/timers.js';
import type { readTime } from './read-turns.js';

const maxRemainderBytes = 64 * 1024;
/** Less of a response that has not arrived in full is not charged. */
const unchargedBytes = 64 * 1024;

/** Charges what has arrived of a response. Throws OVERFLOW where the budget has no room for it. */
export function chargeArrived(held: HeldBytes, bytes: number): void {
  if (!held.resize(bytes > unchargedBytes ? bytes : 0))
    throw new WireError(
      'OVERFLOW',
      `no memory is left for a response of more than ${bytes} bytes. Make fewer calls at a time, or give the process a larger heap`,
    );
}

/** Reads a body to its end. Cancels it at an abort and when `take` throws. Rejects with what the platform says where it is cut. */
export async function readChunks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  take: (chunk: Uint8Array) => void | Promise<void>,
  inTime?: typeof readTime,
): Promise<void> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  const forget = onAbort(signal, cancel);
  if (signal.aborted) cancel();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      await inTime?.(value.length);
      await take(value);
    }
  } catch (error) {
    cancel();
    throw error;
  } finally {
    forget();
  }
}

/**
 * Reads a response as text. Rejects with a {@link WireError}, OVERFLOW before it is read on where it is larger than `maxBytes` or than
 * the budget of `held` allows, PARSE_ERROR where it is not UTF-8, and with what the platform says where it is cut.
 */
export async function readText(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  held?: HeldBytes,
  inTime?: typeof readTime,
): Promise<string> {
  const { body } = response;
  if (body === null) return '';
  const tooLarge = (): WireError =>
    new WireError('OVERFLOW', `the response is larger than ${maxBytes} bytes`);
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    body.cancel().catch(() => undefined);
    throw tooLarge();
  }
  // Bytes and not text: text that grows by single characters takes 32 bytes for each.
  const store = new ByteStore();
  try {
    await readChunks(
      body,
      signal,
      (chunk) => {
        const bytes = store.length + chunk.length;
        if (bytes > maxBytes) throw tooLarge();
        if (held !== undefined) chargeArrived(held, bytes);
        store.append(chunk);
      },
      inTime,
    );
    await inTime?.(store.length);
  } finally {
    held?.resize(0);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(store.view());
  } catch (cause) {
    throw new WireError('PARSE_ERROR', 'the response is not valid UTF-8', { cause });
  }
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
