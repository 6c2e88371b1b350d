import { type Budget, Pieces } from '@rxmcp/transport/guard';
import { bodyMs } from './request-rules.js';

/** Reads the body of a web request within bounds, of time too; `cut` where it breaks off or the request is taken back. */
export async function bytesOf(
  { body, signal }: Request,
  maxBytes: number,
  budget: Budget,
): Promise<Uint8Array | 'too-large' | 'no-room' | 'cut' | 'late'> {
  const pieces = new Pieces();
  if (body?.locked === true) return 'cut';
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
      const isTooLarge = pieces.length + next.value.length > maxBytes;
      if (isTooLarge || !budget.take(next.value.length)) {
        stop();
        return isTooLarge ? 'too-large' : 'no-room';
      }
      pieces.add(next.value);
    }
  } catch {
    return 'cut';
  } finally {
    clearTimeout(alarm);
    signal.removeEventListener('abort', stop);
    budget.give(pieces.length);
  }
  if (isLate) return 'late';
  return signal.aborted ? 'cut' : pieces.whole();
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
