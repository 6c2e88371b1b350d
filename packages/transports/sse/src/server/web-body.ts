import type { Budget } from '@rxmcp/transport/guard';
import { bodyMs } from './request-rules.js';

/** Reads the body of a web request within bounds, of time too; `cut` where it breaks off or the request is taken back. */
export async function bytesOf(
  { body, signal }: Request,
  maxBytes: number,
  budget: Budget,
): Promise<Uint8Array | 'too-large' | 'no-room' | 'cut' | 'late'> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let held = 0;
  const reader = body?.getReader();
  const stop = (): void => void reader?.cancel().catch(() => undefined);
  // A request that is taken back need not end its body.
  signal.addEventListener('abort', stop, { once: true });
  let isLate = false;
  const alarm = setTimeout(() => {
    isLate = true;
    stop();
  }, bodyMs);
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      length += next.value.length;
      if (length > maxBytes || !budget.take(next.value.length)) {
        stop();
        return length > maxBytes ? 'too-large' : 'no-room';
      }
      held = length;
      chunks.push(next.value);
    }
  } catch {
    return 'cut';
  } finally {
    clearTimeout(alarm);
    signal.removeEventListener('abort', stop);
    budget.give(held);
  }
  if (isLate) return 'late';
  if (signal.aborted) return 'cut';
  const [first = new Uint8Array()] = chunks;
  return chunks.length <= 1 ? first : joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a body; undefined for what is not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
