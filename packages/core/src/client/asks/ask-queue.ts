import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Ask } from '../../contract/ask.js';

const maxAtATime = 16;

/** Handles one ask. Returns a function that cancels it. */
export type SendAsk = (ask: Ask, done: (answer: JsonObject | Error) => void) => () => void;

/**
 * Handles the asks of one result in order, 16 at a time. Calls back once: with all answers under the keys of their
 * asks, or with the first error, which cancels the others. Returns a function that cancels all of them.
 */
export function sendAsks(
  asks: ReadonlyMap<string, Ask>,
  put: SendAsk,
  done: (answers: JsonObject | Error) => void,
): () => void {
  const answers: JsonObject = {};
  const queue = asks.entries();
  /** The asks in progress; the value is undefined until the handler has returned. */
  const running = new Map<string, (() => void) | undefined>();
  let left = asks.size;
  let open = true;
  let filling = false;

  const withdraw = (): void => {
    open = false;
    const all = [...running.values()];
    running.clear();
    for (const one of all) one?.();
  };
  const answered = (key: string, answer: JsonObject | Error): void => {
    if (!open) return;
    running.delete(key);
    if (answer instanceof Error) {
      withdraw();
      done(answer);
      return;
    }
    Object.defineProperty(answers, key, { value: answer, enumerable: true });
    left -= 1;
    if (left > 0) return fill();
    open = false;
    done(answers);
  };
  // A handler that answers synchronously returns to this loop instead of nesting another one.
  const fill = (): void => {
    if (filling) return;
    filling = true;
    while (open && running.size < maxAtATime) {
      const next = queue.next();
      if (next.done === true) break;
      const [key, ask] = next.value;
      running.set(key, undefined);
      const cancelAsk = put(ask, (answer) => answered(key, answer));
      // The caller may have unsubscribed while the handler was being called.
      if (!open) cancelAsk();
      else if (running.has(key)) running.set(key, cancelAsk);
    }
    filling = false;
  };
  fill();
  return withdraw;
}
