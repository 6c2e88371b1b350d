import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Ask } from '../contract/ask.js';

const maxAtATime = 16;

/** Puts one question to whoever answers it. Returns what withdraws it. */
export type SendAsk = (ask: Ask, done: (answer: JsonObject | Error) => void) => () => void;

/**
 * Puts the questions of one result, in their order and 16 at a time. Calls back once: with all answers under the keys of
 * their questions, or with the first refusal, which withdraws the others. Returns what withdraws them all.
 */
export function sendAsks(
  asks: ReadonlyMap<string, Ask>,
  put: SendAsk,
  done: (answers: JsonObject | Error) => void,
): () => void {
  const answers: JsonObject = {};
  const queue = asks.entries();
  /** The questions being answered; the value is missing while the handler is still being called. */
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
  // A handler that answers while it is called comes back to this loop, not into a loop of its own.
  const fill = (): void => {
    if (filling) return;
    filling = true;
    while (open && running.size < maxAtATime) {
      const next = queue.next();
      if (next.done === true) break;
      const [key, ask] = next.value;
      running.set(key, undefined);
      const takeBack = put(ask, (answer) => answered(key, answer));
      // Whoever asked may have gone while the handler was being called.
      if (!open) takeBack();
      else if (running.has(key)) running.set(key, takeBack);
    }
    filling = false;
  };
  fill();
  return withdraw;
}
